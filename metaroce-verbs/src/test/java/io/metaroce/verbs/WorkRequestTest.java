package io.metaroce.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.queue.WrOpcode;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WorkRequestTest {
    private static final ScatterGatherEntry PIECE = new ScatterGatherEntry(0x101, 16, 32);

    @Test
    void aBuilderMakesWhatItSays() {
        SendWorkRequest send = SendWorkRequest.send(1).from(PIECE).signaled().build();
        assertThat(send.opcode()).isEqualTo(WrOpcode.SEND);
        assertThat(send.entries()).containsExactly(PIECE);
        assertThat(send.flags()).containsExactly(SendFlag.SIGNALED);

        assertThat(SendWorkRequest.send(2).immediate(5).build())
                .isInstanceOfSatisfying(
                        SendWorkRequest.SendImmediate.class,
                        it -> assertThat(it.immediate()).isEqualTo(5));

        SendWorkRequest.Write write = (SendWorkRequest.Write)
                SendWorkRequest.write(3).from(PIECE).to(0x1000, 0x201).build();
        assertThat(write.opcode()).isEqualTo(WrOpcode.RDMA_WRITE);
        assertThat(write.remoteAddress()).isEqualTo(0x1000);
        assertThat(write.rkey()).isEqualTo(0x201);

        SendWorkRequest told = SendWorkRequest.write(4).to(1, 2).immediate(6).build();
        assertThat(told.opcode()).isEqualTo(WrOpcode.RDMA_WRITE_WITH_IMM);
        assertThat(told.wrId()).isEqualTo(4);
    }

    @Test
    void requestsThatFetchSayWhereFromAndWhereTo() {
        SendWorkRequest.Read read = (SendWorkRequest.Read) SendWorkRequest.read(5)
                .from(0x2000, 0x301)
                .into(PIECE)
                .signaled()
                .build();
        assertThat(read.opcode()).isEqualTo(WrOpcode.RDMA_READ);
        assertThat(read.remoteAddress()).isEqualTo(0x2000);
        assertThat(read.rkey()).isEqualTo(0x301);
        assertThat(read.entries()).containsExactly(PIECE);
        assertThat(read.inlineData().hasRemaining()).isFalse();

        SendWorkRequest.CompareAndSwap swap = (SendWorkRequest.CompareAndSwap)
                SendWorkRequest.atomic(6).from(8, 9).into(PIECE).compareAndSwap(10, 11);
        assertThat(swap.opcode()).isEqualTo(WrOpcode.ATOMIC_CMP_AND_SWP);
        assertThat(swap.compare()).isEqualTo(10);
        assertThat(swap.swap()).isEqualTo(11);

        SendWorkRequest.FetchAndAdd add = (SendWorkRequest.FetchAndAdd)
                SendWorkRequest.atomic(7).from(8, 9).with(SendFlag.FENCE).fetchAndAdd(-1);
        assertThat(add.opcode()).isEqualTo(WrOpcode.ATOMIC_FETCH_AND_ADD);
        assertThat(add.add()).isEqualTo(-1);
        assertThat(add.flags()).containsExactly(SendFlag.FENCE);

        assertThatThrownBy(() -> SendWorkRequest.read(8).with(SendFlag.INLINE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("INLINE");
    }

    @Test
    void aSendInvalidatesAKeyOrCarriesAnImmediate() {
        assertThat(SendWorkRequest.send(9).invalidate(0x401).build())
                .isInstanceOfSatisfying(SendWorkRequest.SendInvalidate.class, it -> {
                    assertThat(it.rkey()).isEqualTo(0x401);
                    assertThat(it.opcode()).isEqualTo(WrOpcode.SEND_WITH_INV);
                });
        assertThatThrownBy(
                        () -> SendWorkRequest.send(9).invalidate(1).immediate(2).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not both");
    }

    @Test
    void inlineBytesAreCopiedWhenGiven() {
        byte[] bytes = {1, 2, 3};
        SendWorkRequest request = SendWorkRequest.send(1).inline(bytes).build();
        bytes[0] = 9;
        assertThat(request.inlineData().get(0)).isEqualTo((byte) 1);
        assertThat(request.inlineData().isReadOnly()).isTrue();
        assertThat(request.flags()).containsExactly(SendFlag.INLINE);
    }

    @Test
    void receivesKeepTheirPieces() {
        ReceiveWorkRequest request = ReceiveWorkRequest.of(7, PIECE, PIECE);
        assertThat(request.entries()).isEqualTo(List.of(PIECE, PIECE));
        assertThat(ReceiveWorkRequest.of(8).entries()).isEmpty();
    }

    @Test
    void negativeNumbersAreRefused() {
        assertThatThrownBy(() -> new ScatterGatherEntry(1, -1, 5))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("offset -1");
    }

    @Test
    void flagsHaveTheNumbersOfVerbs() {
        assertThat(SendFlag.mask(SendFlag.FENCE, SendFlag.SIGNALED, SendFlag.SOLICITED, SendFlag.INLINE))
                .isEqualTo(15);
        assertThat(AccessFlag.LOCAL_WRITE.value()).isEqualTo(1);
        assertThat(AccessFlag.REMOTE_WRITE.value()).isEqualTo(2);
        assertThat(AccessFlag.mask(AccessFlag.REMOTE_WRITE)).isEqualTo(3);
    }
}
