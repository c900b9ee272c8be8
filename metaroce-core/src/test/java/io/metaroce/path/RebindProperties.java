package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;
import io.metaroce.param.Profiles;
import io.metaroce.wire.PathBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** A path leaves its route. Slots are counted from 0. */
class RebindProperties implements TxSlots.Outcome {
    private static final int FIRST = -2;
    private static final long PEER_DELAY_NS = 1_000;

    private final SlotSlab slab = new SlotSlab(256);
    private final PathTable table = new PathTable(3, Profiles.model().path(), slab, RxWindow.WIDTH_PACKETS, 8_000);
    private final Path path = path(1, 5);
    private final Path donor = path(2, 6);
    private final Path otherDonor = path(0, 7);
    private final List<Integer> acked = new ArrayList<>();
    private final List<Integer> lost = new ArrayList<>();
    private long nowNs = 1_000;

    @Example
    @Covers({"R-PATH-010", "R-PATH-017"})
    void theRouteIsTheDonorsAndTheEpochOneMore() {
        suspect();
        borrow();
        assertThat(path.route()).isSameAs(donor.route());
        assertThat(path.isBorrowed()).isTrue();
        assertThat(path.epoch()).isEqualTo(1);
        assertThat(path.state()).isEqualTo(PathState.ACTIVE);
        assertThat(donor.epoch()).isZero();
        for (int i = 0; i < 255; i++) {
            borrow();
        }
        assertThat(path.epoch()).isZero(); // modulo 256
    }

    @Example
    @Covers({"R-PATH-011", "R-PATH-006"})
    void numbersAndStampsGoOn() {
        send(path.open());
        int stamp = send(path.open());
        borrow();
        assertThat(path.nextPsn()).isEqualTo(FIRST + 2);
        int slot = path.open();
        assertThat(slab.psn(slot)).isEqualTo(FIRST + 2);
        assertThat(send(slot)).isGreaterThan(stamp);
    }

    @Example
    @Covers("R-PATH-016")
    void everyUnacknowledgedSlotIsQueuedInOrderOfNumber() {
        for (int i = 0; i < 5; i++) {
            send(path.open());
        }
        merge(Blocks.of(FIRST, "01", 0, 0));
        suspect();
        borrow();
        assertThat(lost).containsExactly(FIRST, FIRST + 2, FIRST + 3, FIRST + 4);
        assertThat(path.queued()).isEqualTo(4);
        assertThat(path.isInUse()).isFalse();
        List<Integer> resent = new ArrayList<>();
        for (int slot = path.nextResend(); slot != SlotSlab.NONE; slot = path.nextResend()) {
            resent.add(slab.psn(slot));
            send(slot);
        }
        assertThat(resent).isEqualTo(lost);
    }

    @Example
    void theFirstPacketOfTheEpochAsksToBeAcknowledged() {
        send(path.open());
        assertThat(path.isFirstOfEpoch()).isFalse();
        borrow();
        assertThat(path.isFirstOfEpoch()).isTrue();
        send(path.nextResend());
        assertThat(path.isFirstOfEpoch()).isFalse();
    }

    @Example
    void timesAreTheDonorsAndTheTimersRest() {
        donor.beginTimes(20_000);
        send(path.open());
        borrow();
        assertThat(path.smoothedRttNs()).isEqualTo(20_000);
        assertThat(path.rttVariationNs()).isEqualTo(10_000);
        assertThat(path.onDeadline(10_000_000, PEER_DELAY_NS, this)).isZero();
        assertThat(path.isProbeWanted()).isFalse();
    }

    @Example
    @Covers({"R-LOSS-007", "R-PATH-020"})
    void aReportOfTheOldEpochReleasesQueuedSlotsAndIsNoEvidence() {
        send(path.open());
        int late = send(path.open());
        borrow();
        PathBlock old = Blocks.of(FIRST + 1, "", late, 0);
        assertThat(path.isCredible(old)).isTrue();
        assertThat(path.isEvidence(old)).isFalse();
        merge(old);
        assertThat(slab.psn(path.nextResend())).isEqualTo(FIRST + 1);
    }

    @Example
    @Covers("R-LOSS-007")
    void aStampOfTheOldEpochIsNoEvidenceEvenUnderTheNewNumber() {
        int late = send(path.open());
        borrow();
        assertThat(path.isEvidence(Blocks.of(FIRST, "", late, 1))).isFalse();
        int fresh = send(path.nextResend());
        assertThat(path.isEvidence(Blocks.of(FIRST, "", fresh, 1))).isTrue();
    }

    @Example
    @Covers("R-PATH-021")
    void theFirstBlockOfTheEpochSetsTheCounters() {
        int first = send(path.open());
        evidence(Blocks.counted(Blocks.of(FIRST, "", first, 0), 1, 0, 0));
        borrow();
        int stamp = send(path.nextResend());
        evidence(Blocks.counted(Blocks.of(FIRST + 1, "", stamp, 1), 90, 60, 30));
        assertThat(path.ceDelta()).isZero();
        assertThat(path.rxDelta()).isZero();
        assertThat(path.duplicatesDelta()).isZero();
    }

    @Example
    @Covers({"R-PATH-021", "R-LOSS-007"})
    void marksOfTheOldRouteInALateReportAreNotChargedToTheNewOne() {
        int first = send(path.open());
        borrow();
        merge(Blocks.counted(Blocks.of(FIRST, "", first, 0), 50, 40, 0));
        int stamp = send(path.nextResend());
        evidence(Blocks.counted(Blocks.of(FIRST + 1, "", stamp, 1), 51, 40, 0));
        assertThat(path.ceDelta()).isZero();
    }

    /** Steps: 0..3 open and send, 4..6 resend, 7 acknowledge the lowest, 8 rebind. */
    @Property(tries = 300)
    @Covers("R-PATH-014")
    void byLatestTransmissionSlotsBelongToTwoEpochsAtMost(
            @ForAll @Size(max = 120) List<@IntRange(min = 0, max = 8) Integer> steps) {
        new RebindProperties().keepsTwoEpochs(steps);
    }

    private void keepsTwoEpochs(List<Integer> steps) {
        for (int step : steps) {
            if (step < 4 && path.hasRoom()) {
                send(path.open());
            } else if (step < 7 && path.nextResend() != SlotSlab.NONE) {
                send(path.nextResend());
            } else if (step == 7 && path.lowest() != SlotSlab.NONE) {
                path.settle(path.lowest(), this);
            } else if (step == 8) {
                borrow();
            }
            TreeSet<Integer> epochs = new TreeSet<>();
            for (int slot = path.lowest(); slot != SlotSlab.NONE; slot = slab.psnNext(slot)) {
                epochs.add(slab.epoch(slot));
                boolean isOfNow = slab.epoch(slot) == path.epoch();
                assertThat(isOfNow || slab.state(slot) == SlotSlab.QUEUED).isTrue();
            }
            assertThat(epochs).hasSizeLessThanOrEqualTo(2);
        }
    }

    private Path path(int id, int entropy) {
        Route route = new Route(0, entropy, Address.ipv4(1, 1));
        return new Path(id, table, FIRST, route);
    }

    private int send(int slot) {
        nowNs += 100;
        int stamp = path.takeStamp(nowNs);
        path.sent(nowNs, slot, stamp, 1_000, PEER_DELAY_NS, Tail.LAST);
        return stamp;
    }

    private void merge(PathBlock block) {
        path.merge(nowNs, block, this);
    }

    private void evidence(PathBlock block) {
        assertThat(path.isEvidence(block)).isTrue();
        merge(block);
        path.onEvidence(nowNs, block, true, 256, PEER_DELAY_NS, this);
    }

    private void suspect() {
        path.on(PathEvent.SILENT, nowNs);
    }

    /** Borrows from whoever does not share a route with it already. */
    private void borrow() {
        Path lender = path.route().equals(donor.route()) ? otherDonor : donor;
        Rebind.borrow(nowNs, path, lender, this);
    }

    @Override
    public void acked(int slot) {
        acked.add(slab.psn(slot));
    }

    @Override
    public void lost(int slot) {
        lost.add(slab.psn(slot));
    }
}
