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
    private final PathRow row = Rows.withRtt(8_000); // variation 4000
    private final ProbeTimer timer = new ProbeTimer(config(1_000, 0));
    private final long plainNs = timer.plainTimeoutNs(row, PEER_DELAY_NS);

    @Test
    void theTimeoutFollowsFromMeanSpreadAndTheDelayOfThePeer() {
        assertThat(plainNs).isEqualTo(8_000 + 16_000 + 1_000);
        for (int i = 0; i < 100; i++) {
            RttEstimator.onSample(0, row, 8_000);
        }
        assertThat(timer.plainTimeoutNs(row, 0)).isEqualTo(12_000); // 3/2 of the mean is more
        assertThat(timer.plainTimeoutNs(row, 50_000)).isEqualTo(8_000 + 1_000 + 50_000); // spread at least 1 us
    }

    @Test
    void theTimeoutHasAFloorAndACap() {
        assertThat(new ProbeTimer(config(0, 5_000_000)).plainTimeoutNs(row, 0)).isEqualTo(5_000_000);
        RttEstimator.restart(row, 1_000_000_000);
        assertThat(timer.plainTimeoutNs(row, 0)).isEqualTo(MAX_NS);
    }

    @Test
    @Covers("R-LOSS-004")
    void whereNothingIsLostTheTailIsFlushedWhenItsAnswerIsDue() {
        long dueNs = 8_000 + 2 * 4_000 + PEER_DELAY_NS;
        for (Tail tail : Tail.values()) {
            send(0, tail);
            assertThat(timer.deadlineNs(row)).isEqualTo(dueNs);
            assertThat(timer.take(dueNs - 1, row)).isEqualTo(Due.NOTHING);
            assertThat(timer.take(dueNs, row)).isEqualTo(Due.FLUSH);
        }
        for (int i = 0; i < 100; i++) {
            RttEstimator.onSample(0, row, 8_000);
        }
        send(0, Tail.LAST);
        assertThat(timer.deadlineNs(row)).isEqualTo(8_000 + 8_000 / 8 + PEER_DELAY_NS);
    }

    @Test
    @Covers("R-LOSS-004")
    void afterALossTheNext1024SlotsAreFlushedSoon() {
        timer.onTrouble();
        for (int i = 0; i < 1024; i++) {
            send(0, Tail.LAST);
            assertThat(timer.deadlineNs(row)).isEqualTo(2_000);
        }
        send(0, Tail.LAST);
        assertThat(timer.deadlineNs(row)).isEqualTo(8_000 + 2 * 4_000 + PEER_DELAY_NS);
    }

    @Test
    @Covers("R-LOSS-004")
    void theTailIsFlushedAfterAQuarterOfTheRoundTripWhereSomethingIsLost() {
        timer.onTrouble();
        send(0, Tail.LAST);
        assertThat(timer.deadlineNs(row)).isEqualTo(2_000);
        assertThat(timer.take(1_999, row)).isEqualTo(Due.NOTHING);
        assertThat(timer.take(2_000, row)).isEqualTo(Due.FLUSH);
    }

    @Test
    void theFlushHasAFloor() {
        ProbeTimer patient = new ProbeTimer(config(200_000, 0));
        patient.onSlotSent(0, row, PEER_DELAY_NS, Tail.LAST);
        assertThat(patient.take(plainNs, row)).isEqualTo(Due.TIMEOUT);
        patient.onEvidence(plainNs, row, MAX_NS);
        assertThat(patient.take(199_999, row)).isEqualTo(Due.NOTHING);
        assertThat(patient.take(200_000, row)).isEqualTo(Due.FLUSH);
    }

    @Test
    void whileMoreIsToComeTheFlushWaitsAWholeRoundTrip() {
        timer.onTrouble();
        send(0, Tail.MORE_COMES);
        assertThat(timer.take(7_999, row)).isEqualTo(Due.NOTHING);
        assertThat(timer.take(8_000, row)).isEqualTo(Due.FLUSH);
    }

    @Test
    @Covers("R-LOSS-010")
    void oneSlotIsFlushedOnce() {
        timer.onTrouble();
        send(0, Tail.LAST);
        assertThat(timer.take(2_000, row)).isEqualTo(Due.FLUSH);
        timer.onProbeSent(row);
        for (long now = 2_000; now < plainNs; now += 500) {
            assertThat(timer.take(now, row)).isEqualTo(Due.NOTHING);
        }
        send(3_000, Tail.LAST);
        timer.onProbeSent(row); // some other probe has followed it already
        assertThat(timer.take(5_000, row)).isEqualTo(Due.NOTHING);
        assertThat(timer.deadlineNs(row)).isEqualTo(3_000 + plainNs);
    }

    @Test
    void eachSlotPutsBothTimersOff() {
        timer.onTrouble();
        send(0, Tail.LAST);
        send(1_500, Tail.LAST);
        assertThat(timer.take(2_000, row)).isEqualTo(Due.NOTHING);
        assertThat(timer.take(3_500, row)).isEqualTo(Due.FLUSH);
        assertThat(timer.take(1_499 + plainNs, row)).isEqualTo(Due.NOTHING);
        assertThat(timer.take(1_500 + plainNs, row)).isEqualTo(Due.TIMEOUT);
    }

    @Test
    @Covers("R-LOSS-008")
    void eachExpiryDoublesTheTimeoutUpToTheCap() {
        long expected = plainNs;
        for (int inARow = 1; inARow <= 20; inARow++) {
            assertThat(timer.timeoutNs(row, PEER_DELAY_NS)).isEqualTo(expected);
            assertThat(timer.expired(0, row, PEER_DELAY_NS)).isEqualTo(Math.min(inARow, 16));
            expected = Math.min(2 * expected, MAX_NS);
        }
    }

    @Test
    @Covers("R-LOSS-008")
    void evidenceTakesTheBackOffAway() {
        send(0, Tail.LAST);
        timer.expired(0, row, PEER_DELAY_NS);
        timer.expired(0, row, PEER_DELAY_NS);
        timer.onEvidence(100_000, row, PEER_DELAY_NS);
        assertThat(timer.timeoutNs(row, PEER_DELAY_NS)).isEqualTo(plainNs);
        assertThat(timer.take(99_999 + plainNs, row)).isNotEqualTo(Due.TIMEOUT);
        assertThat(timer.take(100_000 + plainNs, row)).isEqualTo(Due.TIMEOUT);
        assertThat(timer.expired(0, row, PEER_DELAY_NS)).isEqualTo(1);
    }

    @Test
    void nothingIsDueWhileNothingIsInFlight() {
        assertThat(timer.deadlineNs(row)).isEqualTo(Deadline.NEVER);
        send(0, Tail.LAST);
        timer.onNothingInFlight(row);
        assertThat(timer.deadlineNs(row)).isEqualTo(Deadline.NEVER);
        assertThat(timer.take(MAX_NS, row)).isEqualTo(Due.NOTHING);
    }

    @Test
    void aRestartForgetsTheBackOff() {
        send(0, Tail.LAST);
        timer.expired(0, row, PEER_DELAY_NS);
        timer.restart(row);
        assertThat(timer.deadlineNs(row)).isEqualTo(Deadline.NEVER);
        assertThat(timer.timeoutNs(row, PEER_DELAY_NS)).isEqualTo(plainNs);
    }

    private void send(long nowNs, Tail tail) {
        timer.onSlotSent(nowNs, row, PEER_DELAY_NS, tail);
    }

    private static PathConfig config(long flushFloorNs, long timeoutFloorNs) {
        return new PathConfig(1, 64, 256, 4, flushFloorNs, timeoutFloorNs, MAX_NS, 0, 1_000_000_000, 600_000_000_000L);
    }
}
