package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.nio.NioDatagramChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When all of several sockets have been emptied, as their reads tell. */
class ReceiveQueuesTest {
    private static final int BYTES = 64;
    private static final IoHandlerContext CONTEXT = new IoHandlerContext() {
        @Override
        public boolean canBlock() {
            return false;
        }

        @Override
        public long delayNanos(long nowNs) {
            return 0;
        }

        @Override
        public long deadlineNanos() {
            return -1;
        }
    };

    private final NioDatagramChannel one = new NioDatagramChannel();
    private final NioDatagramChannel two = new NioDatagramChannel();
    private final LoopTurns turns = new LoopTurns();
    private final IoHandler loop = turns.counted(new Nothing());
    private final ReceiveQueues queues = new ReceiveQueues(turns);
    private final RecvByteBufAllocator.ExtendedHandle first = add(one);
    private final RecvByteBufAllocator.ExtendedHandle second = add(two);

    @AfterEach
    void close() {
        one.unsafe().closeForcibly();
        two.unsafe().closeForcibly();
    }

    @Test
    void aTurnThatLeavesNothingUnreadEndsAPassAndTheSameTurnEndsNoOther() {
        turn();
        read(first, 3, true);
        assertThat(queues.passEnded()).isTrue();
        assertThat(queues.passEnded()).isFalse();
    }

    @Test
    void aSocketLeftAtItsLimitKeepsThePassOpenUntilItIsEmptied() {
        turn();
        read(first, 3, false);
        assertThat(queues.passEnded()).isFalse();
        turn();
        read(first, 3, false);
        assertThat(queues.passEnded()).isFalse();
        turn();
        read(first, 1, true);
        assertThat(queues.passEnded()).isTrue();
    }

    @Test
    void eachOnceIsEnough() {
        turn();
        read(first, 3, false);
        read(second, 1, true);
        assertThat(queues.passEnded()).isFalse();
        turn();
        read(first, 1, true);
        read(second, 3, false);
        assertThat(queues.passEnded()).isTrue();
    }

    /** It held exactly as many datagrams as are read in a turn: nobody finds it empty, it is just not offered again. */
    @Test
    void aSocketThatIsNotOfferedAgainIsEmpty() {
        turn();
        read(first, 3, false);
        assertThat(queues.passEnded()).isFalse();
        turn();
        assertThat(queues.passEnded()).isTrue();
    }

    private RecvByteBufAllocator.ExtendedHandle add(NioDatagramChannel channel) {
        ReadBuffer buffer = ReadBuffer.install(channel, BYTES, 3, 1 << 20);
        queues.add(buffer);
        return buffer.newHandle();
    }

    private void turn() {
        int unused = loop.run(CONTEXT);
    }

    private static void read(RecvByteBufAllocator.ExtendedHandle handle, int datagrams, boolean untilEmpty) {
        for (int i = 0; i < datagrams; i++) {
            ByteBuf buffer = handle.allocate(UnpooledByteBufAllocator.DEFAULT);
            handle.lastBytesRead(10);
            boolean unused = buffer.release();
        }
        if (untilEmpty) {
            ByteBuf buffer = handle.allocate(UnpooledByteBufAllocator.DEFAULT);
            handle.lastBytesRead(-1);
            boolean unused = buffer.release();
        }
    }

    private static final class Nothing implements IoHandler {
        @Override
        public int run(IoHandlerContext context) {
            return 0;
        }

        @Override
        public IoRegistration register(IoHandle handle) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void wakeup() {}

        @Override
        public boolean isCompatible(Class<? extends IoHandle> type) {
            return false;
        }
    }
}
