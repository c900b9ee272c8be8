package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

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
    void aStandingQueueIsDrained() {
        // 12 us above the target are a quarter of four round trips: 64/256 less.
        capacity.onQueue(TARGET + RTT, TARGET, RTT, C, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 4 * 3);
        capacity.onQueue(100 * RTT, TARGET, RTT, C, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 4);
        capacity.onQueue(TARGET, TARGET, RTT, C, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C);
    }

    @Test
    void idleCapacityIsOverbookedStepByStepAndTakenBackQuickly() {
        for (int i = 0; i < 4; i++) {
            capacity.onQueue(0, TARGET, RTT, C / 2, 1);
        }
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 4 * 5);
        for (int i = 0; i < 100; i++) {
            capacity.onQueue(0, TARGET, RTT, C / 2, 1);
        }
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 2 * 3);
        capacity.onQueue(TARGET + 1, TARGET, RTT, C, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C / 4 * 5);
    }

    @Test
    void nothingIsOverbookedForNobodyOrWhenTheLineIsBusy() {
        capacity.onQueue(0, TARGET, RTT, C / 2, 0);
        capacity.onQueue(0, TARGET, RTT, C * 96 / 100, 1);
        capacity.onQueue(1, TARGET, RTT, C / 2, 1);
        assertThat(capacity.bytesPerSecond()).isEqualTo(C);
    }
}
