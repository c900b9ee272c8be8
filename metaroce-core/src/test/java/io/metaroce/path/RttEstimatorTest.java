package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.Test;

class RttEstimatorTest {
    private static final long S = 1_000_000_000L;
    private final PathRow row = Rows.withRtt(8_000);

    @Test
    void beginsWithTheHandshake() {
        assertThat(RttEstimator.smoothedNs(row)).isEqualTo(8_000);
        assertThat(RttEstimator.variationNs(row)).isEqualTo(4_000);
        assertThat(RttEstimator.baseNs(row)).isEqualTo(8_000);
        assertThat(RttEstimator.roundMinNs(row)).isEqualTo(8_000);
    }

    @Test
    @Covers("R-ACK-014")
    void theFirstSampleTakesThePlaceOfTheHandshake() {
        RttEstimator.onSample(0, row, 50_000);
        assertThat(RttEstimator.smoothedNs(row)).isEqualTo(50_000);
        assertThat(RttEstimator.variationNs(row)).isEqualTo(25_000);
    }

    @Test
    void movesByAnEighthAndAQuarter() {
        RttEstimator.onSample(0, row, 8_000);
        RttEstimator.onSample(0, row, 16_000); // |difference| 8000
        assertThat(RttEstimator.smoothedNs(row)).isEqualTo(9_000);
        assertThat(RttEstimator.variationNs(row)).isEqualTo(5_000);
        RttEstimator.onSample(0, row, 1_000); // difference -8000
        assertThat(RttEstimator.smoothedNs(row)).isEqualTo(8_000);
        assertThat(RttEstimator.variationNs(row)).isEqualTo(5_750);
    }

    @Test
    void divisionRoundsDown() {
        RttEstimator.onSample(0, row, 8_000);
        RttEstimator.onSample(0, row, 7_999);
        assertThat(RttEstimator.smoothedNs(row)).isEqualTo(7_999); // floor(-1/8) is -1
        assertThat(RttEstimator.variationNs(row)).isEqualTo(3_000); // 4000 + floor(-3999/4)
    }

    @Test
    void aConstantRoundTripIsLearntExactly() {
        for (int i = 0; i < 200; i++) {
            RttEstimator.onSample(i * 20_000L, row, 20_000);
        }
        assertThat(RttEstimator.smoothedNs(row)).isBetween(19_990L, 20_000L);
        assertThat(RttEstimator.variationNs(row)).isLessThan(20);
        assertThat(RttEstimator.baseNs(row)).isEqualTo(20_000);
    }

    @Test
    void theBaseIsTheMinimumOfTheLastTenSeconds() {
        RttEstimator.onSample(0, row, 5_000);
        RttEstimator.onSample(S, row, 9_000);
        assertThat(RttEstimator.baseNs(row)).isEqualTo(5_000);
        RttEstimator.onSample(5 * S, row, 9_000);
        RttEstimator.onSample(9 * S, row, 8_000);
        assertThat(RttEstimator.baseNs(row)).isEqualTo(5_000);
        RttEstimator.onSample(10 * S, row, 9_000);
        assertThat(RttEstimator.baseNs(row)).isEqualTo(8_000);
    }

    @Test
    void aMinimumFromBeforeALongSilenceIsForgotten() {
        RttEstimator.onSample(0, row, 5_000);
        RttEstimator.onSample(60 * S, row, 9_000);
        assertThat(RttEstimator.baseNs(row)).isEqualTo(9_000);
    }

    @Test
    void theMinimumOfTheRoundLastsOneRoundTrip() {
        RttEstimator.onSample(0, row, 5_000); // the round ends after the smoothed time
        RttEstimator.onSample(4_999, row, 9_000);
        assertThat(RttEstimator.roundMinNs(row)).isEqualTo(5_000);
        RttEstimator.onSample(8_000, row, 9_000);
        assertThat(RttEstimator.roundMinNs(row)).isEqualTo(9_000);
    }

    @Test
    void aCopyKnowsWhatTheOtherHasLearnt() {
        RttEstimator.onSample(0, row, 5_000);
        PathRow other = Rows.withRtt(1);
        RttEstimator.copy(other, row);
        assertThat(RttEstimator.smoothedNs(other)).isEqualTo(RttEstimator.smoothedNs(row));
        assertThat(RttEstimator.variationNs(other)).isEqualTo(RttEstimator.variationNs(row));
        assertThat(RttEstimator.baseNs(other)).isEqualTo(5_000);
        assertThat(RttEstimator.roundMinNs(other)).isEqualTo(5_000);
        RttEstimator.restart(other, 100);
        assertThat(RttEstimator.baseNs(other)).isEqualTo(100);
        assertThat(RttEstimator.baseNs(row)).isEqualTo(5_000);
    }

    @Test
    void whatTakesLongerThanTwoSecondsCountsAsThatMuch() {
        RttEstimator.onSample(0, row, 40 * S);
        assertThat(RttEstimator.smoothedNs(row)).isEqualTo(RttEstimator.LONGEST_NS);
        assertThat(RttEstimator.baseNs(row)).isEqualTo(RttEstimator.LONGEST_NS);
        RttEstimator.onSample(0, row, 1_000);
        assertThat(RttEstimator.baseNs(row)).isEqualTo(1_000);
        assertThat(RttEstimator.smoothedNs(row)).isBetween(S, 2 * S);
        assertThat(RttEstimator.variationNs(row)).isBetween(S, 2 * S);
    }
}
