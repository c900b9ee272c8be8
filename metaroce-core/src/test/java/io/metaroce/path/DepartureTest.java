package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.wire.PathBlock;
import org.junit.jupiter.api.Test;

/** A path has left a route in epoch 3 at instant 1000, when stamp 500 was the newest one echoed. */
class DepartureTest {
    private static final long LEFT_NS = 1_000;
    private static final long RTT_NS = 10;
    private static final long MEMORY_NS = 64 * RTT_NS;
    private final Departure departure = new Departure();

    DepartureTest() {
        departure.onLeft(LEFT_NS, 3, true, 500, RTT_NS);
    }

    @Test
    void whatWasSentThereAndIsHeardOfAfterAllProvesTheMoveAMistakeOnce() {
        assertThat(refutes(LEFT_NS + 1, 3, 501)).isTrue();
        assertThat(refutes(LEFT_NS + 2, 3, 502)).isFalse();
    }

    @Test
    void whatWasKnownAlreadyOrTravelledOnAnotherRouteProvesNothing() {
        assertThat(refutes(LEFT_NS + 1, 3, 500)).isFalse();
        assertThat(refutes(LEFT_NS + 1, 3, 499)).isFalse();
        assertThat(refutes(LEFT_NS + 1, 4, 501)).isFalse();
        assertThat(departure.patienceAt(LEFT_NS + 1, RTT_NS)).isEqualTo(1);
        assertThat(refutes(LEFT_NS + 1, 3, 501)).isTrue();
    }

    @Test
    void stampsWrap() {
        departure.onLeft(LEFT_NS, 3, true, -1, RTT_NS);
        assertThat(refutes(LEFT_NS, 3, -2)).isFalse();
        assertThat(refutes(LEFT_NS, 3, 0)).isTrue();
    }

    @Test
    void theRouteIsRememberedForSixtyFourRoundTrips() {
        assertThat(refutes(LEFT_NS + MEMORY_NS + 1, 3, 501)).isFalse();
        assertThat(refutes(LEFT_NS + MEMORY_NS, 3, 501)).isTrue();
    }

    @Test
    void aRouteOnWhichNothingWasEchoedHasNothingToBeHeardOf() {
        departure.onLeft(LEFT_NS, 3, false, 500, RTT_NS);
        assertThat(refutes(LEFT_NS + 1, 3, 501)).isFalse();
    }

    @Test
    void eachMistakeInARowDoublesPatienceUpToEightfold() {
        assertThat(departure.patienceAt(LEFT_NS, RTT_NS)).isEqualTo(1);
        for (int expected : new int[] {2, 4, 8, 8}) {
            departure.onLeft(LEFT_NS, 3, true, 500, RTT_NS);
            assertThat(refutes(LEFT_NS + 1, 3, 501)).isTrue();
            assertThat(departure.patienceAt(LEFT_NS + 1, RTT_NS)).isEqualTo(expected);
        }
    }

    @Test
    void patienceHalvesEverySixtyFourRoundTripsAlsoWhenNobodyAsksMeanwhile() {
        for (int i = 0; i < 3; i++) {
            departure.onLeft(LEFT_NS, 3, true, 500, RTT_NS);
            refutes(LEFT_NS, 3, 501);
        }
        assertThat(departure.patienceAt(LEFT_NS + MEMORY_NS - 1, RTT_NS)).isEqualTo(8);
        assertThat(departure.patienceAt(LEFT_NS + MEMORY_NS, RTT_NS)).isEqualTo(4);
        assertThat(departure.patienceAt(LEFT_NS + 2 * MEMORY_NS - 1, RTT_NS)).isEqualTo(4);
        assertThat(departure.patienceAt(LEFT_NS + 3 * MEMORY_NS, RTT_NS)).isEqualTo(1);
        assertThat(departure.patienceAt(LEFT_NS + 9 * MEMORY_NS, RTT_NS)).isEqualTo(1);
    }

    private boolean refutes(long nowNs, int epoch, int echo) {
        PathBlock block = Blocks.of(0, "", echo, epoch);
        return departure.isRefutedBy(nowNs, block, RTT_NS);
    }
}
