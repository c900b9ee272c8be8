package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a window counts as used. */
class FlightTest {
    private static final int SLACK = 2 * Rig.Q;

    @ParameterizedTest
    @CsvSource({"400000, 8436", "1079808, 8436", "8000000, 62500"})
    @Covers("R-CC-010")
    void usedIsAWindowButForTwoPacketsOrA128thOfIt(int windowBytes, int slackBytes) {
        assertThat(isUsed(windowBytes - slackBytes, windowBytes)).isFalse();
        assertThat(isUsed(windowBytes - slackBytes + 1, windowBytes)).isTrue();
    }

    private static boolean isUsed(int inFlightBytes, int windowBytes) {
        Flight flight = new Flight(SLACK);
        flight.onSent(inFlightBytes);
        flight.onLeft(Rig.Q);
        flight.onSignal(1, windowBytes);
        return flight.wasUsed();
    }
}
