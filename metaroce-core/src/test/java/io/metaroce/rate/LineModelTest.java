package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.Test;

class LineModelTest {
    private static final int Q = 4218;

    @Test
    void theWantedQueueIsAQuarterRoundTripEightPacketsOrTheHostsOwnDelay() {
        assertThat(model(50_000_000_000L, 0, 12_000).delayTargetNs()).isEqualTo(3_000);
        assertThat(model(50_000_000_000L, 0, 1_000).delayTargetNs()).isEqualTo(674);
        assertThat(model(1_250_000_000L, 500_000, 30_000).delayTargetNs()).isEqualTo(500_000);
    }

    @Test
    void windowsFollowRateAndTime() {
        LineModel line = model(50_000_000_000L, 0, 12_000);
        assertThat(line.windowBytes(50_000_000_000L)).isEqualTo(750_000);
        assertThat(line.windowBytes(Long.MAX_VALUE)).isEqualTo(750_000);
        assertThat(line.windowBytes(1_000_000_000L)).isEqualTo(15_000);
        assertThat(line.onEmptyLineBytes(50_000_000_000L)).isEqualTo(600_000);
        assertThat(line.turnaroundBytes(50_000_000_000L)).isEqualTo(600_000);
        assertThat(line.windowBytesMax()).isEqualTo(900_000);
    }

    @Test
    @Covers("R-CC-019")
    void whatIsUnderWayIsMeasuredByTheMeanWayAndTheFirstWindowByTheShortest() {
        LineModel line = model(50_000_000_000L, 0, 12_000);
        line.longerNs(8_000);
        assertThat(line.delayTargetNs()).isEqualTo(5_000);
        assertThat(line.windowBytes(50_000_000_000L)).isEqualTo(1_250_000);
        assertThat(line.turnaroundBytes(50_000_000_000L)).isEqualTo(1_000_000);
        assertThat(line.windowBytesMax()).isEqualTo(1_500_000);
        assertThat(line.onEmptyLineBytes(50_000_000_000L)).isEqualTo(600_000);
    }

    @Test
    void onASoftwareHostTheLargestWindowCoversItsOwnDelay() {
        LineModel line = model(1_250_000_000L, 500_000, 30_000);
        assertThat(line.onEmptyLineBytes(1_250_000_000L)).isEqualTo(37_500);
        assertThat(line.windowBytesMax()).isEqualTo(662_500 * 3 / 2);
    }

    @Test
    void onASoftwareHostOnlySeveralTimesItsOwnDelayIsAQueue() {
        assertThat(model(50_000_000_000L, 0, 12_000).standingDelayNs()).isEqualTo(3_000);
        assertThat(model(1_250_000_000L, 500_000, 30_000).standingDelayNs()).isEqualTo(2_000_000);
        assertThat(model(1_250_000_000L, 500_000, 12_000_000).standingDelayNs()).isEqualTo(3_000_000);
        assertThat(model(50_000_000_000L, 0, 12_000).isFinelyTimed()).isTrue();
        assertThat(model(50_000_000_000L, 1, 12_000).isFinelyTimed()).isFalse();
    }

    @Test
    void theLargestWindowIsFourPacketsAtLeast() {
        assertThat(model(1_000_000, 0, 1).windowBytesMax()).isEqualTo(4 * Q);
    }

    @Test
    void nothingOverflowsAtATerabytePerSecondAndATenthOfASecond() {
        LineModel line = model(1_000_000_000_000L, 0, 100_000_000);
        assertThat(line.windowBytes(Long.MAX_VALUE)).isEqualTo(125_000_000_000L);
        assertThat(line.windowBytesMax()).isEqualTo(150_000_000_000L);
    }

    private static LineModel model(long rate, long floorNs, long rttNs) {
        LineModel line = new LineModel(rate, floorNs, Q);
        line.rtt0Ns(rttNs);
        return line;
    }
}
