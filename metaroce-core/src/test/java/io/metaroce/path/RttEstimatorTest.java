package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.Test;

class RttEstimatorTest {
    private static final long S = 1_000_000_000L;
    private final RttEstimator rtt = new RttEstimator(8_000);

    @Test
    void beginsWithTheHandshake() {
        assertThat(rtt.smoothedNs()).isEqualTo(8_000);
        assertThat(rtt.variationNs()).isEqualTo(4_000);
        assertThat(rtt.baseNs()).isEqualTo(8_000);
        assertThat(rtt.roundMinNs()).isEqualTo(8_000);
    }

    @Test
    @Covers("R-ACK-014")
    void theFirstSampleTakesThePlaceOfTheHandshake() {
        rtt.onSample(0, 50_000);
        assertThat(rtt.smoothedNs()).isEqualTo(50_000);
        assertThat(rtt.variationNs()).isEqualTo(25_000);
    }

    @Test
    void movesByAnEighthAndAQuarter() {
        rtt.onSample(0, 8_000);
        rtt.onSample(0, 16_000); // |difference| 8000
        assertThat(rtt.smoothedNs()).isEqualTo(9_000);
        assertThat(rtt.variationNs()).isEqualTo(5_000);
        rtt.onSample(0, 1_000); // difference -8000
        assertThat(rtt.smoothedNs()).isEqualTo(8_000);
        assertThat(rtt.variationNs()).isEqualTo(5_750);
    }

    @Test
    void divisionRoundsDown() {
        rtt.onSample(0, 8_000);
        rtt.onSample(0, 7_999);
        assertThat(rtt.smoothedNs()).isEqualTo(7_999); // floor(-1/8) is -1
        assertThat(rtt.variationNs()).isEqualTo(3_000); // 4000 + floor(-3999/4)
    }

    @Test
    void aConstantRoundTripIsLearntExactly() {
        for (int i = 0; i < 200; i++) {
            rtt.onSample(i * 20_000L, 20_000);
        }
        assertThat(rtt.smoothedNs()).isBetween(19_990L, 20_000L);
        assertThat(rtt.variationNs()).isLessThan(20);
        assertThat(rtt.baseNs()).isEqualTo(20_000);
    }

    @Test
    void theBaseIsTheMinimumOfTheLastTenSeconds() {
        rtt.onSample(0, 5_000);
        rtt.onSample(S, 9_000);
        assertThat(rtt.baseNs()).isEqualTo(5_000);
        rtt.onSample(5 * S, 9_000);
        rtt.onSample(9 * S, 8_000);
        assertThat(rtt.baseNs()).isEqualTo(5_000);
        rtt.onSample(10 * S, 9_000);
        assertThat(rtt.baseNs()).isEqualTo(8_000);
    }

    @Test
    void aMinimumFromBeforeALongSilenceIsForgotten() {
        rtt.onSample(0, 5_000);
        rtt.onSample(60 * S, 9_000);
        assertThat(rtt.baseNs()).isEqualTo(9_000);
    }

    @Test
    void theMinimumOfTheRoundLastsOneRoundTrip() {
        rtt.onSample(0, 5_000); // the round ends after the smoothed time
        rtt.onSample(4_999, 9_000);
        assertThat(rtt.roundMinNs()).isEqualTo(5_000);
        rtt.onSample(8_000, 9_000);
        assertThat(rtt.roundMinNs()).isEqualTo(9_000);
    }

    @Test
    void aCopyKnowsWhatTheOtherHasLearnt() {
        RttEstimator other = new RttEstimator(1);
        rtt.onSample(0, 5_000);
        other.copy(rtt);
        assertThat(other.smoothedNs()).isEqualTo(rtt.smoothedNs());
        assertThat(other.variationNs()).isEqualTo(rtt.variationNs());
        assertThat(other.baseNs()).isEqualTo(5_000);
        assertThat(other.roundMinNs()).isEqualTo(5_000);
        other.restart(100);
        assertThat(other.baseNs()).isEqualTo(100);
        assertThat(rtt.baseNs()).isEqualTo(5_000);
    }
}
