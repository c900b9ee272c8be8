package io.metaroce.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.jctools.queues.varhandle.SpmcVarHandleArrayQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Send and receive rings, one thread playing both sides. */
class WorkRingTest {
    private final DoorbellQueue doorbells = new DoorbellQueue(16);
    private final CompletionRing completions = new CompletionRing(16, doorbells, () -> {});

    @ParameterizedTest
    @EnumSource(Posters.class)
    void theDepthIsExactlyTheNumberOfRequestsOutstanding(Posters posters) {
        SendRing ring = sendRing(3, posters);
        for (int i = 0; i < 3; i++) {
            SendCell cell = acquire(ring);
            ring.post(cell.wrId(i));
        }
        assertThat(ring.acquire()).isNull();
        SendCell first = requireNonNull(ring.take());
        assertThat(ring.acquire()).as("taken is still outstanding").isNull();
        ring.release(first);
        assertThat(ring.acquire()).isNotNull();
        assertThat(ring.acquire()).isNull();
    }

    @ParameterizedTest
    @EnumSource(Posters.class)
    void requestsComeOutInTheOrderTheyWerePosted(Posters posters) {
        SendRing ring = sendRing(5, posters);
        List<Long> taken = new ArrayList<>();
        for (long wrId = 0; wrId < 23; wrId++) {
            SendCell cell = acquire(ring);
            ring.post(cell.wrId(wrId));
            if (wrId % 3 == 2) {
                assertThat(ring.hasPosted()).isTrue();
                takeAll(ring, taken);
                assertThat(ring.hasPosted()).isFalse();
            }
        }
        takeAll(ring, taken);
        assertThat(taken).hasSize(23).isSorted();
    }

    @Test
    void aCellComesBackBlank() {
        SendRing ring = new SendRing(1, 2, 16, 7, completions, completions.attach(), Signalling.FLAGGED, doorbells);
        SendCell cell = acquire(ring);
        cell.wrId(1)
                .opcode(WrOpcode.ATOMIC_CMP_AND_SWP)
                .flags(SendFlags.FENCE | SendFlags.SOLICITED)
                .remoteAddress(2)
                .rkey(3)
                .immediate(4)
                .invalidateRkey(5)
                .compareAdd(6)
                .swap(7)
                .addSge(8, 9, 10)
                .inline(ByteBuffer.allocate(4), 0, 4);
        assertThat(cell.lengthBytes()).isEqualTo(14);
        assertThat(cell.isFenced()).isTrue();
        assertThat(cell.isSolicited()).isTrue();
        assertThat(cell.isInline()).isTrue();
        assertThat(ring.isSignalled(cell)).isFalse();
        ring.post(cell);
        SendCell taken = requireNonNull(ring.take());
        assertThat(taken).isSameAs(cell);
        ring.release(taken);
        SendCell again = acquire(ring);
        assertThat(again).isSameAs(cell);
        assertThat(again.wrId()).isZero();
        assertThat(again.opcode()).isEqualTo(WrOpcode.SEND);
        assertThat(again.flags()).isZero();
        assertThat(again.remoteAddress()).isZero();
        assertThat(again.rkey()).isZero();
        assertThat(again.immediate()).isZero();
        assertThat(again.invalidateRkey()).isZero();
        assertThat(again.compareAdd()).isZero();
        assertThat(again.swap()).isZero();
        assertThat(again.sgeCount()).isZero();
        assertThat(again.inlineLength()).isZero();
        assertThat(again.lengthBytes()).isZero();
    }

    @Test
    void scatterGatherEntriesAreKeptAndBounded() {
        SendCell cell = acquire(new SendRing(1, 2, 0, 7, completions, 0, Signalling.ALL, doorbells));
        cell.addSge(11, 1L << 40, 100).addSge(12, 5, Integer.MAX_VALUE);
        assertThat(cell.sgeCount()).isEqualTo(2);
        assertThat(cell.lkey(0)).isEqualTo(11);
        assertThat(cell.offset(0)).isEqualTo(1L << 40);
        assertThat(cell.length(0)).isEqualTo(100);
        assertThat(cell.lkey(1)).isEqualTo(12);
        assertThat(cell.lengthBytes()).isEqualTo(100L + Integer.MAX_VALUE);
        assertThatThrownBy(() -> cell.addSge(13, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("entry 3")
                .hasMessageContaining("takes 2")
                .hasMessageContaining("sgeMax");
        ReceiveCell receive = acquire(new ReceiveRing(1, 1, 7, completions, 0, doorbells));
        assertThatThrownBy(() -> receive.addSge(1, 0, -1)).hasMessageContaining("-1");
        receive.wrId(9).addSge(1, 2, 3);
        assertThat(receive.sgeMax()).isEqualTo(1);
        assertThat(receive.lkey(0)).isEqualTo(1);
        assertThat(receive.offset(0)).isEqualTo(2);
        assertThat(receive.length(0)).isEqualTo(3);
        assertThat(receive.lengthBytes()).isEqualTo(3);
        assertThatThrownBy(() -> receive.addSge(1, 0, 1)).hasMessageContaining("takes 1");
    }

    @Test
    void inlineBytesAreCopiedAndBounded() {
        SendRing ring = new SendRing(2, 0, 6, 7, completions, 0, Signalling.ALL, doorbells);
        SendCell first = acquire(ring);
        SendCell second = acquire(ring);
        ByteBuffer from = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7});
        first.inline(from, 1, 4).inline(from, 0, 2);
        second.inline(from, 6, 1).flags(SendFlags.SIGNALED);
        from.put(1, (byte) 99);
        byte[] bytes = new byte[6];
        first.inline().get(0, bytes);
        assertThat(bytes).containsExactly(2, 3, 4, 5, 1, 2);
        assertThat(first.inlineLength()).isEqualTo(6);
        assertThat(first.inlineMax()).isEqualTo(6);
        assertThat(first.inline().isDirect()).isTrue();
        assertThat(second.inline().get(0)).isEqualTo((byte) 7);
        assertThat(second.flags()).as("set flags keep INLINE").isEqualTo(SendFlags.SIGNALED | SendFlags.INLINE);
        assertThatThrownBy(() -> first.inline(from, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("7 bytes")
                .hasMessageContaining("takes 6")
                .hasMessageContaining("inlineBytesMax");
    }

    @Test
    void misuseOfCellsTripsAnAssertion() {
        SendRing ring = sendRing(2, Posters.MANY);
        SendRing other = sendRing(2, Posters.MANY);
        SendCell cell = acquire(ring);
        assertThatThrownBy(() -> other.post(cell)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> ring.release(cell)).isInstanceOf(AssertionError.class);
        ring.post(cell);
        assertThatThrownBy(() -> ring.post(cell)).isInstanceOf(AssertionError.class);
        assertThat(ring.take()).isSameAs(cell);
        assertThatThrownBy(() -> other.release(cell)).isInstanceOf(AssertionError.class);
        ring.release(cell);
        assertThatThrownBy(() -> ring.release(cell)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> ring.post(cell)).isInstanceOf(AssertionError.class);
    }

    @Test
    void theOwnerIsToldOfARingOnceHoweverOftenItWasRung() {
        SendRing ring = sendRing(2, Posters.MANY);
        List<Long> told = new ArrayList<>();
        ring.owner(told::add);
        ring.ring();
        ring.ring();
        doorbells.drain(5);
        doorbells.drain(6);
        assertThat(told).containsExactly(5L);
        ring.ring();
        doorbells.drain(7);
        assertThat(told).containsExactly(5L, 7L);
        ring.owner(null);
        ring.ring();
        doorbells.drain(8);
        assertThat(told).hasSize(2);
    }

    @Test
    void aReceiveRingIsASendRingForReceives() {
        ReceiveRing ring = new ReceiveRing(2, 1, 42, completions, 3, doorbells, Posters.ONE);
        List<Long> told = new ArrayList<>();
        ring.owner(told::add);
        ReceiveCell first = acquire(ring);
        ring.post(first.wrId(1).addSge(5, 6, 7));
        ring.post(acquire(ring).wrId(2));
        ring.ring();
        assertThat(ring.acquire()).isNull();
        doorbells.drain(9);
        assertThat(told).containsExactly(9L);
        assertThat(ring.hasPosted()).isTrue();
        assertThat(ring.take()).isSameAs(first);
        assertThat(first.wrId()).isEqualTo(1);
        ring.release(first);
        ReceiveCell again = acquire(ring);
        assertThat(again.sgeCount()).isZero();
        assertThat(again.lengthBytes()).isZero();
        assertThat(ring.depth()).isEqualTo(2);
        assertThat(ring.qpNumber()).isEqualTo(42);
        assertThat(ring.sink()).isSameAs(completions);
        assertThat(ring.attachment()).isEqualTo(3);
        ring.retire();
    }

    @Test
    void aSendRingKnowsWhatItWasMadeOf() {
        SendRing ring = new SendRing(2, 1, 0, 42, completions, 3, Signalling.ALL, doorbells);
        assertThat(ring.depth()).isEqualTo(2);
        assertThat(ring.qpNumber()).isEqualTo(42);
        assertThat(ring.sink()).isSameAs(completions);
        assertThat(ring.attachment()).isEqualTo(3);
        assertThat(ring.signalling()).isEqualTo(Signalling.ALL);
        assertThat(ring.isSignalled(acquire(ring))).isTrue();
        SendRing flagged = new SendRing(2, 1, 0, 42, completions, 3, Signalling.FLAGGED, doorbells);
        assertThat(flagged.isSignalled(acquire(flagged).flags(SendFlags.SIGNALED)))
                .isTrue();
    }

    @Test
    void sizesOutsideTheirRangeAreRefusedByName() {
        assertThatThrownBy(() -> sendRing(0, Posters.MANY)).hasMessageContaining("depth = 0 is outside 1..1048576");
        assertThatThrownBy(() -> new SendRing(1, 257, 0, 1, completions, 0, Signalling.ALL, doorbells))
                .hasMessageContaining("sgeMax = 257");
        assertThatThrownBy(() -> new SendRing(1, 1, -1, 1, completions, 0, Signalling.ALL, doorbells))
                .hasMessageContaining("inlineBytesMax = -1");
        assertThatThrownBy(() -> new SendRing(1 << 20, 1, 1 << 16, 1, completions, 0, Signalling.ALL, doorbells))
                .hasMessageContaining("depth * inlineBytesMax");
        assertThatThrownBy(() -> new ReceiveRing(1 << 21, 1, 1, completions, 0, doorbells))
                .hasMessageContaining("depth = 2097152");
    }

    @Test
    void aReleasedCellThatFindsItsPlaceHeldIsSetAsideAndTriedAgain() {
        Object home = new Object();
        List<ReceiveCell> cells = List.of(new ReceiveCell(home, 1), new ReceiveCell(home, 1));
        Refusing<ReceiveCell> free = new Refusing<>(2);
        CellRing<ReceiveCell> ring = new CellRing<>(cells, free, new MpscVarHandleArrayQueue<>(2));
        for (int i = 0; i < 2; i++) {
            ring.post(home, requireNonNull(ring.acquire(home)));
        }
        free.refuses = true;
        for (int i = 0; i < 2; i++) {
            ring.release(home, requireNonNull(ring.take(home)));
        }
        assertThat(ring.acquire(home)).isNull();
        free.refuses = false;
        assertThat(ring.take(home)).isNull();
        assertThat(ring.acquire(home)).isSameAs(cells.get(0));
        assertThat(ring.acquire(home)).isSameAs(cells.get(1));
    }

    private SendRing sendRing(int depth, Posters posters) {
        return new SendRing(depth, 1, 0, 1, completions, 0, Signalling.ALL, doorbells, posters);
    }

    private static SendCell acquire(SendRing ring) {
        return requireNonNull(ring.acquire());
    }

    private static ReceiveCell acquire(ReceiveRing ring) {
        return requireNonNull(ring.acquire());
    }

    private static void takeAll(SendRing ring, List<Long> taken) {
        while (true) {
            SendCell cell = ring.take();
            if (cell == null) {
                return;
            }
            taken.add(cell.wrId());
            ring.release(cell);
        }
    }

    /** Refuses like a queue whose next place a descheduled consumer still holds. */
    static final class Refusing<E> extends SpmcVarHandleArrayQueue<E> {
        boolean refuses;

        Refusing(int capacity) {
            super(capacity);
        }

        @Override
        public boolean relaxedOffer(E e) {
            return !refuses && super.relaxedOffer(e);
        }
    }
}
