package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.Test;

class CapacityEstimateTest {
    private static final long C = 50_000_000_000L;
    private static final long RTT = 12_000;
    private static final long TARGET = 3_000;

    private final CapacityEstimate capacity = new CapacityEstimate(C);

    @Test
    void withoutAQueueEstimateItIsThePlainCapacity() {
        assertThat(capacity.bytesPerSecond()).isEqualTo(C);
        capacity.inboundBytesPerSecond(C / 2);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 2);
        assertThat(capacity.inboundBytesPerSecond()).isEqualTo(C / 2);
    }

    @Test
    void aStandingQueueIsDrainedToTheGround() {
        // Of five times one round trip of queue: 12 of 4 * 24 us, an eighth.
        capacity.onQueue(RTT, TARGET, RTT, C, 1, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 8 * 7);
        capacity.onQueue(100 * RTT, TARGET, RTT, C, 1, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 8 * 7);
        capacity.onQueue(TARGET / 2, TARGET, RTT, C, 1, 1);
        assertThat(capacity.bytesPerSecond()).isBetween(C / 100 * 95, C - 1);
        capacity.onQueue(TARGET / 4, TARGET, RTT, C, 1, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C);
        capacity.onQueue(TARGET, TARGET, RTT, C, 1, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C);
    }

    @Test
    @Covers("R-HINT-011")
    void whatArrivesWhileAQueueStandsIsAllThereIs() {
        for (int i = 0; i < 20; i++) {
            capacity.onQueue(RTT, TARGET, RTT, C / 2, 1, 1);
        }
        assertThat(capacity.deliveredBytesPerSecond()).isBetween(C / 2, C / 100 * 51);
        // Nothing is overbooked in front of a limit.
        capacity.onQueue(0, TARGET, RTT, C / 2, 1, 1);
        assertThat(capacity.bytesPerSecond()).isBetween(C / 2, C / 100 * 52);
    }

    @Test
    @Covers("R-HINT-015")
    void theQueueOfFewIsForgottenSoonerThanThatOfMany() {
        assertThat(roundsToForget(1)).isLessThan(30);
        assertThat(roundsToForget(16)).isGreaterThan(roundsToForget(1) * 5 / 4);
        assertThat(roundsToForget(128)).isGreaterThan(3 * roundsToForget(1));
    }

    // Until 95 % of what was set are shared out again, after half of it had been learned.
    private static int roundsToForget(int senders) {
        CapacityEstimate one = new CapacityEstimate(C);
        for (int i = 0; i < 20; i++) {
            one.onQueue(RTT, TARGET, RTT, C / 2, senders, 1);
        }
        int rounds = 0;
        while (one.deliveredBytesPerSecond() < C / 100 * 95) {
            one.onQueue(0, TARGET, RTT, one.deliveredBytesPerSecond(), senders, 1);
            rounds++;
        }
        return rounds;
    }

    @Test
    @Covers("R-HINT-012")
    void idleCapacityIsOverbookedStepByStepAndTakenBackQuickly() {
        for (int i = 0; i < 16; i++) {
            capacity.onQueue(0, TARGET, RTT, C / 2, 1, 1);
        }
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 4 * 5);
        for (int i = 0; i < 100; i++) {
            capacity.onQueue(0, TARGET, RTT, C / 2, 1, 1);
        }
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 2 * 3);
        capacity.onQueue(0, TARGET, RTT, C, 1, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 4 * 5);
    }

    @Test
    @Covers("R-HINT-012")
    void nothingIsOverbookedForNobodyOrWhenTheLineIsBusyOrAQueueStands() {
        capacity.onQueue(0, TARGET, RTT, C / 2, 1, 0);
        capacity.onQueue(0, TARGET, RTT, C * 96 / 100, 1, 1);
        capacity.onQueue(TARGET, TARGET, RTT, C / 2, 1, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C);
    }
}
