package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.Test;

class RttEstimatorTest {
    private static final long S = 1_000_000_000L;
    private static final int PATHS = 3;
    private static final int P = 1; // the one that is tested; the others stay as they were
    private static final int OTHER = 2;
    private final RttEstimator rtt = new RttEstimator(PATHS, 8_000);

    @Test
    void beginsWithTheHandshake() {
        assertThat(rtt.smoothedNs(P)).isEqualTo(8_000);
        assertThat(rtt.variationNs(P)).isEqualTo(4_000);
        assertThat(rtt.baseNs(P)).isEqualTo(8_000);
        assertThat(rtt.roundMinNs(P)).isEqualTo(8_000);
    }

    @Test
    @Covers("R-ACK-014")
    void theFirstSampleTakesThePlaceOfTheHandshake() {
        rtt.onSample(0, P, 50_000);
        assertThat(rtt.smoothedNs(P)).isEqualTo(50_000);
        assertThat(rtt.variationNs(P)).isEqualTo(25_000);
    }

    @Test
    void movesByAnEighthAndAQuarter() {
        rtt.onSample(0, P, 8_000);
        rtt.onSample(0, P, 16_000); // |difference| 8000
        assertThat(rtt.smoothedNs(P)).isEqualTo(9_000);
        assertThat(rtt.variationNs(P)).isEqualTo(5_000);
        rtt.onSample(0, P, 1_000); // difference -8000
        assertThat(rtt.smoothedNs(P)).isEqualTo(8_000);
        assertThat(rtt.variationNs(P)).isEqualTo(5_750);
    }

    @Test
    void divisionRoundsDown() {
        rtt.onSample(0, P, 8_000);
        rtt.onSample(0, P, 7_999);
        assertThat(rtt.smoothedNs(P)).isEqualTo(7_999); // floor(-1/8) is -1
        assertThat(rtt.variationNs(P)).isEqualTo(3_000); // 4000 + floor(-3999/4)
    }

    @Test
    void aConstantRoundTripIsLearntExactly() {
        for (int i = 0; i < 200; i++) {
            rtt.onSample(i * 20_000L, P, 20_000);
        }
        assertThat(rtt.smoothedNs(P)).isBetween(19_990L, 20_000L);
        assertThat(rtt.variationNs(P)).isLessThan(20);
        assertThat(rtt.baseNs(P)).isEqualTo(20_000);
    }

    @Test
    void theBaseIsTheMinimumOfTheLastTenSeconds() {
        rtt.onSample(0, P, 5_000);
        rtt.onSample(S, P, 9_000);
        assertThat(rtt.baseNs(P)).isEqualTo(5_000);
        rtt.onSample(5 * S, P, 9_000);
        rtt.onSample(9 * S, P, 8_000);
        assertThat(rtt.baseNs(P)).isEqualTo(5_000);
        rtt.onSample(10 * S, P, 9_000);
        assertThat(rtt.baseNs(P)).isEqualTo(8_000);
    }

    @Test
    void aMinimumFromBeforeALongSilenceIsForgotten() {
        rtt.onSample(0, P, 5_000);
        rtt.onSample(60 * S, P, 9_000);
        assertThat(rtt.baseNs(P)).isEqualTo(9_000);
    }

    @Test
    void theMinimumOfTheRoundLastsOneRoundTrip() {
        rtt.onSample(0, P, 5_000); // the round ends after the smoothed time
        rtt.onSample(4_999, P, 9_000);
        assertThat(rtt.roundMinNs(P)).isEqualTo(5_000);
        rtt.onSample(8_000, P, 9_000);
        assertThat(rtt.roundMinNs(P)).isEqualTo(9_000);
    }

    @Test
    void aCopyKnowsWhatTheOtherHasLearnt() {
        rtt.onSample(0, P, 5_000);
        rtt.copy(OTHER, P);
        assertThat(rtt.smoothedNs(OTHER)).isEqualTo(rtt.smoothedNs(P));
        assertThat(rtt.variationNs(OTHER)).isEqualTo(rtt.variationNs(P));
        assertThat(rtt.baseNs(OTHER)).isEqualTo(5_000);
        assertThat(rtt.roundMinNs(OTHER)).isEqualTo(5_000);
        rtt.restart(OTHER, 100);
        assertThat(rtt.baseNs(OTHER)).isEqualTo(100);
        assertThat(rtt.baseNs(P)).isEqualTo(5_000);
    }

    @Test
    void whatTakesLongerThanTwoSecondsCountsAsThatMuch() {
        rtt.onSample(0, P, 40 * S);
        assertThat(rtt.smoothedNs(P)).isEqualTo(RttEstimator.LONGEST_NS);
        assertThat(rtt.baseNs(P)).isEqualTo(RttEstimator.LONGEST_NS);
        rtt.onSample(0, P, 1_000);
        assertThat(rtt.baseNs(P)).isEqualTo(1_000);
        assertThat(rtt.smoothedNs(P)).isBetween(S, 2 * S);
        assertThat(rtt.variationNs(P)).isBetween(S, 2 * S);
    }

    @Test
    void aSampleSaysNothingOfOtherPaths() {
        rtt.onSample(0, P, 5_000);
        for (int path : new int[] {0, OTHER}) {
            assertThat(rtt.smoothedNs(path)).isEqualTo(8_000);
            assertThat(rtt.roundMinNs(path)).isEqualTo(8_000);
        }
    }
}
