package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Deadline;
import io.metaroce.param.PathConfig;
import io.metaroce.path.ProbeTimer.Due;
import org.junit.jupiter.api.Test;

class ProbeTimerTest {
    private static final long MAX_NS = 200_000_000;
    private static final long PEER_DELAY_NS = 1_000;
    private static final int PATHS = 3;
    private static final int P = 1; // the one that is tested; the others stay as they were
    private final RttEstimator rtt = new RttEstimator(PATHS, 8_000); // variation 4000
    private final ProbeTimer timer = new ProbeTimer(PATHS, config(1_000, 0), rtt);
    private final long plainNs = timer.plainTimeoutNs(P, PEER_DELAY_NS);

    @Test
    void theTimeoutFollowsFromMeanSpreadAndTheDelayOfThePeer() {
        assertThat(plainNs).isEqualTo(8_000 + 16_000 + 1_000);
        for (int i = 0; i < 100; i++) {
            rtt.onSample(0, P, 8_000);
        }
        assertThat(timer.plainTimeoutNs(P, 0)).isEqualTo(12_000); // 3/2 of the mean is more
        assertThat(timer.plainTimeoutNs(P, 50_000)).isEqualTo(8_000 + 1_000 + 50_000); // spread at least 1 us
    }

    @Test
    void theTimeoutHasAFloorAndACap() {
        assertThat(new ProbeTimer(PATHS, config(0, 5_000_000), rtt).plainTimeoutNs(P, 0)).isEqualTo(5_000_000);
        rtt.restart(P, 1_000_000_000);
        assertThat(timer.plainTimeoutNs(P, 0)).isEqualTo(MAX_NS);
    }

    @Test
    @Covers("R-LOSS-004")
    void theTailIsFlushedAfterAQuarterOfTheRoundTrip() {
        send(0, Tail.LAST);
        assertThat(timer.deadlineNs(P)).isEqualTo(2_000);
        assertThat(timer.take(1_999, P)).isEqualTo(Due.NOTHING);
        assertThat(timer.take(2_000, P)).isEqualTo(Due.FLUSH);
    }

    @Test
    void theFlushHasAFloor() {
        ProbeTimer patient = new ProbeTimer(PATHS, config(200_000, 0), rtt);
        patient.onSlotSent(0, P, PEER_DELAY_NS, Tail.LAST);
        assertThat(patient.take(plainNs, P)).isEqualTo(Due.TIMEOUT);
        patient.onEvidence(plainNs, P, MAX_NS);
        assertThat(patient.take(199_999, P)).isEqualTo(Due.NOTHING);
        assertThat(patient.take(200_000, P)).isEqualTo(Due.FLUSH);
    }

    @Test
    void whileMoreIsToComeTheFlushWaitsAWholeRoundTrip() {
        send(0, Tail.MORE_COMES);
        assertThat(timer.take(7_999, P)).isEqualTo(Due.NOTHING);
        assertThat(timer.take(8_000, P)).isEqualTo(Due.FLUSH);
    }

    @Test
    @Covers("R-LOSS-010")
    void oneSlotIsFlushedOnce() {
        send(0, Tail.LAST);
        assertThat(timer.take(2_000, P)).isEqualTo(Due.FLUSH);
        timer.onProbeSent(P);
        for (long now = 2_000; now < plainNs; now += 500) {
            assertThat(timer.take(now, P)).isEqualTo(Due.NOTHING);
        }
        send(3_000, Tail.LAST);
        timer.onProbeSent(P); // some other probe has followed it already
        assertThat(timer.take(5_000, P)).isEqualTo(Due.NOTHING);
        assertThat(timer.deadlineNs(P)).isEqualTo(3_000 + plainNs);
    }

    @Test
    void eachSlotPutsBothTimersOff() {
        send(0, Tail.LAST);
        send(1_500, Tail.LAST);
        assertThat(timer.take(2_000, P)).isEqualTo(Due.NOTHING);
        assertThat(timer.take(3_500, P)).isEqualTo(Due.FLUSH);
        assertThat(timer.take(1_499 + plainNs, P)).isEqualTo(Due.NOTHING);
        assertThat(timer.take(1_500 + plainNs, P)).isEqualTo(Due.TIMEOUT);
    }

    @Test
    @Covers("R-LOSS-008")
    void eachExpiryDoublesTheTimeoutUpToTheCap() {
        long expected = plainNs;
        for (int inARow = 1; inARow <= 20; inARow++) {
            assertThat(timer.timeoutNs(P, PEER_DELAY_NS)).isEqualTo(expected);
            assertThat(timer.expired(0, P, PEER_DELAY_NS)).isEqualTo(Math.min(inARow, 16));
            expected = Math.min(2 * expected, MAX_NS);
        }
    }

    @Test
    @Covers("R-LOSS-008")
    void evidenceTakesTheBackOffAway() {
        send(0, Tail.LAST);
        timer.expired(0, P, PEER_DELAY_NS);
        timer.expired(0, P, PEER_DELAY_NS);
        timer.onEvidence(100_000, P, PEER_DELAY_NS);
        assertThat(timer.timeoutNs(P, PEER_DELAY_NS)).isEqualTo(plainNs);
        assertThat(timer.take(99_999 + plainNs, P)).isNotEqualTo(Due.TIMEOUT);
        assertThat(timer.take(100_000 + plainNs, P)).isEqualTo(Due.TIMEOUT);
        assertThat(timer.expired(0, P, PEER_DELAY_NS)).isEqualTo(1);
    }

    @Test
    void nothingIsDueWhileNothingIsInFlight() {
        assertThat(timer.deadlineNs(P)).isEqualTo(Deadline.NEVER);
        send(0, Tail.LAST);
        timer.onNothingInFlight(P);
        assertThat(timer.deadlineNs(P)).isEqualTo(Deadline.NEVER);
        assertThat(timer.take(MAX_NS, P)).isEqualTo(Due.NOTHING);
    }

    @Test
    void aRestartForgetsTheBackOff() {
        send(0, Tail.LAST);
        timer.expired(0, P, PEER_DELAY_NS);
        timer.restart(P);
        assertThat(timer.deadlineNs(P)).isEqualTo(Deadline.NEVER);
        assertThat(timer.timeoutNs(P, PEER_DELAY_NS)).isEqualTo(plainNs);
    }

    @Test
    void thePathsDoNotShareTimers() {
        send(0, Tail.LAST);
        assertThat(timer.deadlineNs(0)).isEqualTo(Deadline.NEVER);
        assertThat(timer.deadlineNs(2)).isEqualTo(Deadline.NEVER);
        timer.expired(0, P, PEER_DELAY_NS);
        assertThat(timer.inARow(0) + timer.inARow(2)).isZero();
    }

    private void send(long nowNs, Tail tail) {
        timer.onSlotSent(nowNs, P, PEER_DELAY_NS, tail);
    }

    private static PathConfig config(long flushFloorNs, long timeoutFloorNs) {
        return new PathConfig(1, 64, 256, 4, flushFloorNs, timeoutFloorNs, MAX_NS, 0, 1_000_000_000);
    }
}
