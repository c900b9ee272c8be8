package io.metaroce.udp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.socket.DatagramChannel;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Lends one buffer to every read of a socket. What is read is consumed before the next read, so the same memory serves
 * again and stays in the cache; a pool would hand out cold memory, or fresh memory that is zeroed first.
 */
final class ReadBuffer extends DefaultMaxMessagesRecvByteBufAllocator {
    private final int bytes;
    private final int passBytesMax;
    private final ByteBuf buffer;
    private boolean hasMore;
    private int reads;

    private ReadBuffer(int bytes, int readsMax, int passBytesMax) {
        super(readsMax);
        this.bytes = bytes;
        this.passBytesMax = passBytesMax;
        this.buffer = Unpooled.directBuffer(bytes, bytes);
    }

    /**
     * Makes a socket read into one buffer of {@code bytes}, at most {@code readsMax} messages in a row, and none any
     * more after {@code passBytesMax} bytes.
     */
    static ReadBuffer install(DatagramChannel channel, int bytes, int readsMax, int passBytesMax) {
        ReadBuffer made = new ReadBuffer(bytes, readsMax, passBytesMax);
        channel.config().setRecvByteBufAllocator(made);
        ChannelFutureListener release = closed -> {
            boolean unused = made.buffer.release();
        };
        var unused = channel.closeFuture().addListener(release);
        return made;
    }

    /** Whether the socket was left before it was empty when it was read last. Event loop. */
    boolean hasMore() {
        return hasMore;
    }

    /** Reads of the socket so far, empty ones included; wraps. Event loop. */
    int reads() {
        return reads;
    }

    /** Reading begins anew: whatever ended it before, the next turn of the loop reads what is there. */
    void restart() {
        hasMore = false;
    }

    @Override
    public MaxMessageHandle newHandle() {
        return new Lender();
    }

    private final class Lender extends MaxMessageHandle {
        @Override
        public int guess() {
            return bytes;
        }

        @Override
        public void lastBytesRead(int read) {
            super.lastBytesRead(read);
            // Nothing was there; only the limit of a turn ends reading otherwise.
            hasMore = read > 0;
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return totalBytesRead() < passBytesMax && super.continueReading(maybeMore);
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator spare) {
            reads++;
            return buffer.refCnt() == 1 ? buffer.retain().clear() : spare.ioBuffer(bytes);
        }
    }
}
