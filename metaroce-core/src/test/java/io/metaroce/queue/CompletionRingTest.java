package io.metaroce.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompletionRingTest {
    private final DoorbellQueue doorbells = new DoorbellQueue(4);
    private final List<Integer> called = new ArrayList<>();
    private int signals;

    @Test
    void aCompletionIsPolledAsItWasPosted() {
        CompletionRing ring = ring(2);
        int a = ring.attach();
        assertThat(ring.reserve(a)).isTrue();
        ring.completed(
                a,
                77,
                1L << 40,
                WcStatus.REM_ACCESS_ERR,
                WcOpcode.RECV_RDMA_WITH_IMM,
                -5,
                0xCAFE,
                WcFlag.WITH_IMM | WcFlag.SOLICITED);
        CompletionCell cell = requireNonNull(ring.take());
        assertThat(cell.qpNumber()).isEqualTo(77);
        assertThat(cell.wrId()).isEqualTo(1L << 40);
        assertThat(cell.status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(cell.opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
        assertThat(cell.length()).isEqualTo(-5);
        assertThat(cell.immediate()).isEqualTo(0xCAFE);
        assertThat(cell.flags()).as("only flags of rdma-core show").isEqualTo(WcFlag.WITH_IMM);
        ring.release(cell);
        assertThat(ring.take()).isNull();
        assertThat(ring.depth()).isEqualTo(2);
    }

    @Test
    void asManyCompletionsAreReservedAsThereAreCellsAndNoMore() {
        CompletionRing ring = ring(3);
        int a = ring.attach();
        assertThat(reserveAll(ring, a)).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            complete(ring, a, i);
        }
        assertThat(ring.reserve(a)).as("posted is not released").isFalse();
        CompletionCell cell = take(ring, 0);
        assertThat(ring.reserve(a)).as("taken is not released").isFalse();
        ring.release(cell);
        assertThat(ring.reserve(a)).isTrue();
        assertThat(ring.reserve(a)).isFalse();
    }

    @Test
    void whatIsNotNeededGoesBack() {
        CompletionRing ring = ring(2);
        int a = ring.attach();
        assertThat(reserveAll(ring, a)).isEqualTo(2);
        ring.unreserve(a);
        ring.unreserve(a);
        assertThatThrownBy(() -> ring.unreserve(a))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nothing reserved");
        assertThat(reserveAll(ring, a)).isEqualTo(2);
    }

    @Test
    void aCompletionWithoutAReservationIsRefused() {
        CompletionRing ring = ring(2);
        int a = ring.attach();
        assertThatThrownBy(() -> complete(ring, a, 1)).isInstanceOf(IllegalStateException.class);
        assertThat(ring.take()).isNull();
    }

    @Test
    void eachAttachmentOwnsOneCellWhateverTheOthersHold() {
        CompletionRing ring = ring(4);
        int greedy = ring.attach();
        int modest = ring.attach();
        int third = ring.attach();
        assertThat(ring.reserve(modest)).isTrue();
        ring.unreserve(modest);
        assertThat(ring.reserve(third)).isTrue();
        assertThat(reserveAll(ring, greedy)).isEqualTo(2);
        assertThat(ring.reserve(modest)).isTrue();
        assertThat(ring.reserve(modest)).isFalse();
        complete(ring, modest, 5);
        assertThat(ring.reserve(modest)).isFalse();
        ring.release(take(ring, 5));
        assertThat(ring.reserve(greedy)).as("not for others").isFalse();
        assertThat(ring.reserve(modest)).isTrue();
    }

    @Test
    void aLateComerGetsItsOwnCellAsSoonAsOneComesFree() {
        CompletionRing ring = ring(2);
        int early = ring.attach();
        assertThat(reserveAll(ring, early)).isEqualTo(2);
        int late = ring.attach();
        assertThat(ring.reserve(late)).isFalse();
        ring.unreserve(early);
        assertThat(ring.reserve(early)).as("it is spoken for").isFalse();
        assertThat(ring.reserve(late)).isTrue();
    }

    @Test
    void fewerCellsThanWorkQueuesAreRefusedAndTheSizeNeededIsNamed() {
        CompletionRing ring = ring(2);
        int a = ring.attach();
        ring.attach();
        assertThatThrownBy(ring::attach)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("depth 2")
                .hasMessageContaining("at least 3");
        ring.detach(a);
        assertThat(ring.attach()).isEqualTo(a);
    }

    @Test
    void detachingGivesBackEverythingEvenACellThatIsStillOut() {
        CompletionRing ring = ring(2);
        int a = ring.attach();
        int b = ring.attach();
        assertThat(ring.reserve(b)).isTrue();
        assertThat(ring.reserve(a)).isTrue();
        complete(ring, a, 1); // the cell that a owns is out
        ring.detach(a);
        int c = ring.attach();
        assertThat(c).isEqualTo(a);
        assertThat(ring.reserve(c)).isFalse();
        ring.release(take(ring, 1));
        assertThat(ring.reserve(c)).isTrue();
        ring.detach(c);
        ring.detach(b);
        int d = ring.attach();
        assertThat(reserveAll(ring, d)).isEqualTo(2);
    }

    @Test
    void detachingWhatWasNeverUsedOrStillWaitsIsFine() {
        CompletionRing ring = ring(2);
        ring.detach(ring.attach());
        int a = ring.attach();
        int b = ring.attach();
        assertThat(reserveAll(ring, a)).isEqualTo(2);
        assertThat(ring.reserve(b)).isFalse();
        ring.awaitRoom(b, nowNs -> called.add(b));
        ring.detach(b);
        ring.unreserve(a);
        doorbells.drain(0);
        assertThat(called).isEmpty();
        assertThat(ring.reserve(a)).isTrue();
    }

    @Test
    void aStarvedWorkQueueIsCalledOnceWhenAPollerReleases() {
        CompletionRing ring = ring(1);
        int a = ring.attach();
        assertThat(ring.reserve(a)).isTrue();
        complete(ring, a, 1);
        assertThat(ring.reserve(a)).isFalse();
        ring.awaitRoom(a, nowNs -> called.add((int) nowNs));
        doorbells.drain(1);
        assertThat(called).isEmpty();
        doorbells.onWake(() -> signals++);
        ring.release(take(ring, 1));
        assertThat(signals).as("the poller woke the endpoint").isEqualTo(1);
        assertThat(called).as("but did not run its code").isEmpty();
        doorbells.drain(2);
        doorbells.drain(3);
        assertThat(called).containsExactly(2);
        assertThat(ring.reserve(a)).isTrue();
    }

    @Test
    void nobodyIsWokenWhileNobodyStarves() {
        CompletionRing ring = ring(1);
        int a = ring.attach();
        doorbells.onWake(() -> signals++);
        for (int i = 0; i < 5; i++) {
            assertThat(ring.reserve(a)).isTrue();
            complete(ring, a, i);
            ring.release(take(ring, i));
        }
        assertThat(signals).isZero();
    }

    @Test
    void aCellReleasedJustBeforeStarvingWasToldIsFound() {
        CompletionRing ring = ring(1);
        int a = ring.attach();
        assertThat(ring.reserve(a)).isTrue();
        complete(ring, a, 1);
        assertThat(ring.reserve(a)).isFalse();
        ring.release(take(ring, 1)); // nobody wants it yet
        ring.awaitRoom(a, nowNs -> called.add((int) nowNs));
        doorbells.drain(4);
        assertThat(called).containsExactly(4);
    }

    @Test
    void theStarvedAreServedInTurn() {
        CompletionRing ring = ring(3);
        int a = ring.attach();
        int b = ring.attach();
        for (int attachment : new int[] {a, b}) {
            assertThat(ring.reserve(attachment)).isTrue();
            complete(ring, attachment, attachment);
        }
        assertThat(ring.reserve(a)).isTrue(); // the shared one
        complete(ring, a, 2);
        ring.awaitRoom(a, nowNs -> serve(ring, a));
        ring.awaitRoom(b, nowNs -> serve(ring, b));
        CompletionCell ownOfA = take(ring, a);
        CompletionCell ownOfB = take(ring, b);
        CompletionCell shared = take(ring, 2);
        ring.release(shared);
        doorbells.drain(0);
        ring.release(ownOfB);
        doorbells.drain(0);
        ring.release(ownOfA);
        doorbells.drain(0);
        assertThat(called).containsExactly(a, b, a);
    }

    @Test
    void aCellReleasedWhileTheStarvedAreServedIsFound() {
        CompletionRing ring = ring(2);
        int a = ring.attach();
        int b = ring.attach();
        for (int attachment : new int[] {a, b}) {
            assertThat(ring.reserve(attachment)).isTrue();
            complete(ring, attachment, attachment);
        }
        CompletionCell ownOfA = take(ring, a);
        CompletionCell ownOfB = take(ring, b);
        ring.awaitRoom(b, nowNs -> called.add(b));
        ring.awaitRoom(a, nowNs -> {
            called.add(a);
            ring.release(ownOfB); // a poller, just now; b was looked at before and had no room
        });
        ring.release(ownOfA);
        doorbells.drain(0);
        assertThat(called).containsExactly(a, b);
    }

    @Test
    void roomGivenBackByTheEndpointItselfServesTheStarved() {
        CompletionRing ring = ring(2);
        int a = ring.attach();
        int b = ring.attach();
        assertThat(ring.reserve(b)).isTrue();
        ring.unreserve(b);
        assertThat(reserveAll(ring, a)).isEqualTo(1);
        ring.awaitRoom(a, nowNs -> called.add(a));
        doorbells.drain(0);
        assertThat(called).isEmpty();
        ring.unreserve(a);
        doorbells.drain(0);
        assertThat(called).containsExactly(a);
    }

    @Test
    void anArmedQueueSignalsOnce() {
        CompletionRing ring = ring(4);
        int a = ring.attach();
        assertThat(reserveAll(ring, a)).isEqualTo(4);
        complete(ring, a, 0);
        assertThat(signals).isZero();
        ring.arm(ArmMode.ANY);
        assertThat(signals).as("what was there before is polled, not signalled").isZero();
        complete(ring, a, 1);
        complete(ring, a, 2);
        assertThat(signals).isEqualTo(1);
    }

    @Test
    void armedForSolicitedOnlySolicitedReceivesAndErrorsSignal() {
        CompletionRing ring = ring(8);
        int a = ring.attach();
        assertThat(reserveAll(ring, a)).isEqualTo(8);
        ring.arm(ArmMode.SOLICITED);
        complete(ring, a, 0);
        assertThat(signals).isZero();
        ring.completed(a, 1, 1, WcStatus.SUCCESS, WcOpcode.RECV, 0, 0, WcFlag.SOLICITED);
        assertThat(signals).isEqualTo(1);
        ring.arm(ArmMode.SOLICITED);
        ring.completed(a, 1, 2, WcStatus.WR_FLUSH_ERR, WcOpcode.SEND, 0, 0, 0);
        assertThat(signals).isEqualTo(2);
        ring.arm(ArmMode.SOLICITED);
        ring.arm(ArmMode.ANY);
        complete(ring, a, 3);
        assertThat(signals).as("any includes solicited").isEqualTo(3);
        ring.completed(a, 1, 4, WcStatus.SUCCESS, WcOpcode.RECV, 0, 0, WcFlag.SOLICITED);
        assertThat(signals).as("one signal answers both").isEqualTo(3);
    }

    @Test
    void completionsThatFindTheirPlaceHeldAreSetAsideInOrderAndComeWithTheNextRelease() {
        WorkRingTest.Refusing<CompletionCell> filled = new WorkRingTest.Refusing<>(4);
        CompletionRing ring = new CompletionRing(4, doorbells, () -> signals++, filled);
        int a = ring.attach();
        assertThat(reserveAll(ring, a)).isEqualTo(4);
        complete(ring, a, 0);
        CompletionCell held = take(ring, 0);
        filled.refuses = true;
        ring.arm(ArmMode.ANY);
        complete(ring, a, 1);
        complete(ring, a, 2);
        assertThat(signals).as("nothing to be seen yet").isZero();
        assertThat(ring.take()).isNull();
        filled.refuses = false;
        ring.release(held);
        doorbells.drain(0);
        assertThat(signals).isEqualTo(1);
        complete(ring, a, 3);
        for (int i = 1; i < 4; i++) {
            ring.release(take(ring, i));
        }
        assertThat(reserveAll(ring, a)).isEqualTo(4);
    }

    @Test
    void misuseOfCellsTripsAnAssertion() {
        CompletionRing ring = ring(2);
        CompletionRing other = ring(2);
        int a = ring.attach();
        assertThat(ring.reserve(a)).isTrue();
        complete(ring, a, 0);
        CompletionCell cell = take(ring, 0);
        assertThatThrownBy(() -> other.release(cell)).isInstanceOf(AssertionError.class);
        ring.release(cell);
        assertThatThrownBy(() -> ring.release(cell)).isInstanceOf(AssertionError.class);
        ring.retire();
    }

    private CompletionRing ring(int depth) {
        return new CompletionRing(depth, doorbells, () -> signals++);
    }

    private static int reserveAll(CompletionRing ring, int attachment) {
        int count = 0;
        while (ring.reserve(attachment)) {
            count++;
        }
        return count;
    }

    private static void complete(CompletionRing ring, int attachment, long wrId) {
        ring.completed(attachment, 1, wrId, WcStatus.SUCCESS, WcOpcode.SEND, 0, 0, 0);
    }

    private static CompletionCell take(CompletionRing ring, long wrId) {
        CompletionCell cell = requireNonNull(ring.take());
        assertThat(cell.wrId()).isEqualTo(wrId);
        return cell;
    }

    private void serve(CompletionRing ring, int attachment) {
        called.add(attachment);
        assertThat(ring.reserve(attachment)).isTrue();
        ring.awaitRoom(attachment, nowNs -> serve(ring, attachment));
    }
}
