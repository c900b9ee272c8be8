package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import io.metaroce.param.Profiles;
import io.metaroce.path.Path;
import io.metaroce.path.PathEvent;
import io.metaroce.path.Rebind;
import io.metaroce.path.TxSlots;
import org.junit.jupiter.api.Test;

class SilenceTestTest {
    private static final long S = 1_000_000_000L;
    private final Rig a = Rig.a(3, 1);
    private final Rig b = Rig.b(3, 1);
    private final SilenceTest silence = new SilenceTest(a.paths, a.config.path());

    @Test
    void nobodyIsSilentWhileNobodyHasDelivered() {
        a.send(0, 0);
        assertThat(a.paths.newestEchoed(1_000)).isNull();
    }

    @Test
    @Covers("R-HEALTH-001")
    void aPathThatStillWaitsForWhatWasSentWellBeforeAnothersDeliveryIsSilent() {
        deliver(0, 0, 0, RTT); // both know their round trip: 8 us, variation falling
        deliver(0, 1, 0, RTT);
        a.send(100_000, 0);
        deliver(160_000, 1, 1, RTT);
        assertThat(a.paths.newestEchoed(170_000)).isSameAs(path(1));
        assertThat(silence.isSilent(1_000_000, path(0), path(1))).isTrue();
        assertThat(silence.isSilent(1_000_000, path(1), path(1))).isFalse();
    }

    @Test
    void whatWasSentWithinTheToleranceIsNoSilence() {
        deliver(0, 0, 0, RTT);
        deliver(0, 1, 0, RTT);
        a.send(100_000, 0);
        deliver(101_000, 1, 1, RTT);
        assertThat(silence.isSilent(1_000_000, path(0), path(1))).isFalse();
    }

    @Test
    void aPathWithNothingInFlightIsNotSilent() {
        deliver(0, 0, 0, RTT);
        deliver(100_000, 1, 0, RTT);
        assertThat(silence.isSilent(1_000_000, path(0), path(1))).isFalse();
    }

    @Test
    void pathsOfDifferentLengthAreGivenTwiceTheDifferenceAndWhatTheWaysBackAdd() {
        for (int i = 0; i < 30; i++) {
            deliver(i * 1_000_000L, 0, i, 100_000);
            deliver(i * 1_000_000L, 1, i, RTT);
        }
        a.send(40_000_000, 0);
        deliver(40_150_000, 1, 30, RTT); // 150 us later, but path 0 takes 92 us longer
        assertThat(silence.isSilent(1_000_000, path(0), path(1))).isFalse();
        deliver(40_290_000, 1, 31, RTT); // and reports that differ by 46 us, and variation
        assertThat(silence.isSilent(1_000_000, path(0), path(1))).isTrue();
    }

    @Test
    void whatWasDeliveredLongAgoCannotBeCompared() {
        deliver(0, 1, 0, RTT);
        assertThat(a.paths.newestEchoed(15 * S)).isSameAs(path(1));
        assertThat(a.paths.newestEchoed(17 * S)).isNull();
    }

    @Test
    void aPathThatHasJustMovedProvesNothingAboutOthers() {
        deliver(0, 0, 0, RTT);
        deliver(0, 1, 0, RTT);
        deliver(0, 2, 0, RTT);
        a.send(100_000, 0);
        a.send(190_000, 1); // path 1 probed last, then gave up its route
        path(1).on(PathEvent.SILENT, 191_000);
        Rebind.borrow(200_000, path(1), path(2), new Forgets());
        Path newest = a.paths.newestEchoed(200_000);
        assertThat(newest).isNotSameAs(path(1));
        assertThat(newest != null && silence.isSilent(1_000_000, path(0), newest))
                .isFalse();
    }

    @Test
    void nobodyNeedBeLookedAtUntilAnEchoIsYoungerThanWhatWaitsByTheFloor() {
        long floorNs = 2_000_000;
        SilenceTest patient = new SilenceTest(a.paths, Profiles.udp().path());
        deliver(0, 1, 0, RTT);
        assertThat(patient.mayBeAny(RTT, path(1))).isTrue(); // nobody has looked yet
        a.send(100_000, 0);
        patient.looked(200_000);
        deliver(100_000 + floorNs, 1, 1, RTT);
        assertThat(patient.mayBeAny(200_000 + floorNs, path(1))).isFalse();
        deliver(100_016 + floorNs, 1, 2, RTT);
        assertThat(patient.mayBeAny(200_000 + floorNs, path(1))).isTrue();
        patient.looked(300_000 + floorNs);
        assertThat(patient.mayBeAny(300_000 + floorNs, path(1))).isTrue(); // it waits still
    }

    @Test
    void whatWasFoundLongAgoIsNotTrusted() {
        deliver(0, 1, 0, RTT);
        silence.looked(100_000);
        assertThat(silence.mayBeAny(100_000, path(1))).isFalse();
        assertThat(silence.mayBeAny(17 * S, path(1))).isTrue();
    }

    @Test
    void othersAreThoseThatDeliveredSince() {
        deliver(0, 0, 0, RTT);
        long first = path(0).lastEvidenceNs();
        assertThat(silence.othersDeliveredSince(path(0), 0)).isFalse();
        assertThat(silence.othersDeliveredSince(path(1), 0)).isTrue();
        assertThat(silence.othersDeliveredSince(path(1), first)).isFalse();
    }

    private static final long RTT = Rig.RTT_NS;

    private Path path(int i) {
        return a.paths.outbound(i);
    }

    /** Slot {@code index} of a path is sent and acknowledged a round trip later. */
    private void deliver(long sentNs, int pathId, int index, long rttNs) {
        int slot = a.send(sentNs, pathId);
        assertThat(slot).isNotNegative();
        b.receive(sentNs + rttNs / 2, a, pathId, index, (int) (sentNs >> 4));
        b.writer.write(sentNs + rttNs / 2, b.out, Minifloat.HINT_NONE, 1, 0);
        a.reader.onReport(sentNs + rttNs, b.written(), AckReader.Kind.ACK);
        b.writer.write(sentNs + rttNs / 2, b.out, Minifloat.HINT_NONE, 1, 0); // told twice
        a.reader.onReport(sentNs + rttNs, b.written(), AckReader.Kind.ACK);
        assertThat(path(pathId).unacked()).isZero();
    }

    private static final class Forgets implements TxSlots.Outcome {
        @Override
        public void acked(int slot) {}

        @Override
        public void lost(int slot) {}
    }
}
