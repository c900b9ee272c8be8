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
        capacity.onQueue(RTT, TARGET, RTT, C, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 8 * 7);
        capacity.onQueue(100 * RTT, TARGET, RTT, C, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 8 * 7);
        capacity.onQueue(TARGET / 2, TARGET, RTT, C, 1);
        assertThat(capacity.bytesPerSecond()).isBetween(C / 100 * 95, C - 1);
        capacity.onQueue(TARGET / 4, TARGET, RTT, C, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C);
        capacity.onQueue(TARGET, TARGET, RTT, C, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C);
    }

    @Test
    @Covers("R-HINT-011")
    void whatArrivesWhileAQueueStandsIsAllThereIs() {
        for (int i = 0; i < 20; i++) {
            capacity.onQueue(RTT, TARGET, RTT, C / 2, 1);
        }
        assertThat(capacity.deliveredBytesPerSecond()).isBetween(C / 2, C / 100 * 51);
        for (int i = 0; i < 20; i++) {
            capacity.onQueue(0, TARGET, RTT, C / 2, 1);
        }
        // Remembered for a while, and nothing is overbooked in front of a limit.
        assertThat(capacity.bytesPerSecond()).isBetween(C / 2, C / 100 * 55);
        for (int i = 0; i < 1500; i++) {
            capacity.onQueue(0, TARGET, RTT, C, 1);
        }
        assertThat(capacity.bytesPerSecond()).isBetween(C / 100 * 99, C);
    }

    @Test
    @Covers("R-HINT-012")
    void idleCapacityIsOverbookedStepByStepAndTakenBackQuickly() {
        for (int i = 0; i < 16; i++) {
            capacity.onQueue(0, TARGET, RTT, C / 2, 1);
        }
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 4 * 5);
        for (int i = 0; i < 100; i++) {
            capacity.onQueue(0, TARGET, RTT, C / 2, 1);
        }
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 2 * 3);
        capacity.onQueue(0, TARGET, RTT, C, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 4 * 5);
    }

    @Test
    @Covers("R-HINT-012")
    void nothingIsOverbookedForNobodyOrWhenTheLineIsBusyOrAQueueStands() {
        capacity.onQueue(0, TARGET, RTT, C / 2, 0);
        capacity.onQueue(0, TARGET, RTT, C * 96 / 100, 1);
        capacity.onQueue(TARGET, TARGET, RTT, C / 2, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C);
    }
}
