package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.Profiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Windows on a path of two milliseconds: 50 Gbyte/s make a window of 125 MB, a quarter of queue included. */
class FirstReactionTest {
    private static final long MS = 1_000_000;
    private static final long RTT = 2 * MS;
    private static final long FULL = 125_000_000;
    private static final long LINE = Rig.LINE;
    private static final int PATHS = 4;

    private final SenderState state = new SenderState(Profiles.model().rate(), PATHS, Rig.Q);
    private final FirstReaction first = state.first();

    @BeforeEach
    void fourPathsOfTwoMilliseconds() {
        state.line.rtt0Ns(RTT);
        state.srttNs(RTT);
        for (int path = 0; path < PATHS; path++) {
            state.windows.activate(path);
        }
        state.connection.restart(64 * 1024);
    }

    @Test
    @Covers("R-CC-017")
    void theFirstShareIsTakenAtOnce() {
        assertThat(first.onShare(0, LINE / 8)).isTrue();
        assertThat(state.connection.windowBytes()).isEqualTo(FULL / 8);
    }

    @Test
    @Covers("R-CC-017")
    void ofAWholeLineOnlyHalfIsTaken() {
        assertThat(first.onShare(0, LINE)).isTrue();
        assertThat(state.connection.windowBytes()).isEqualTo(FULL / 2);
    }

    @Test
    @Covers("R-CC-017")
    void aShareThatGrowsTakesTheWindowAlong() {
        first.onShare(0, LINE / 8);
        state.connection.restart(FULL / 16);
        assertThat(first.onShare(RTT, LINE / 7)).isFalse();
        assertThat(first.onShare(RTT, LINE / 4)).isTrue();
        assertThat(state.connection.windowBytes()).isEqualTo(FULL / 8);
        assertThat(first.onShare(2 * RTT, LINE / 4)).isFalse();
    }

    @Test
    @Covers("R-CC-017")
    void whereMostPathsAreMarkedItWaits() {
        heat(2);
        assertThat(first.onShare(1, LINE / 8)).isFalse();
        assertThat(state.connection.windowBytes()).isEqualTo(64 * 1024);
        assertThat(first.onShare(RTT, LINE / 8)).isTrue();
    }

    @Test
    @Covers("R-CC-018")
    void aCrowdThatMarksMostCostsAQuarterOnceInARoundTrip() {
        state.connection.restart(FULL);
        first.onCrowd(RTT, 8 * Rig.Q, 16 * Rig.Q);
        assertThat(state.connection.windowBytes()).isEqualTo(FULL * 3 / 4);
        first.onCrowd(2 * RTT - 1, 16 * Rig.Q, 16 * Rig.Q);
        assertThat(state.connection.windowBytes()).isEqualTo(FULL * 3 / 4);
        // From then on in proportion, as long as it lasts.
        first.onCrowd(2 * RTT, 16 * Rig.Q, 16 * Rig.Q);
        assertThat(state.connection.windowBytes()).isEqualTo(FULL * 3 / 4 - 4 * Rig.Q);
    }

    @Test
    @Covers("R-CC-018")
    void aFewMarksCostWhatTheyCostAnywhere() {
        state.connection.restart(FULL);
        first.onCrowd(RTT, 4 * Rig.Q, 16 * Rig.Q);
        assertThat(state.connection.windowBytes()).isEqualTo(FULL - Rig.Q);
    }

    @Test
    @Covers("R-CC-021")
    void lossesSoonAfterALeapTakeHalfOnceInARoundTrip() {
        state.connection.onDelivery(0, 64 * 1024, RTT);
        first.onShare(RTT, LINE);
        assertThat(first.onCrowdLost(2 * RTT)).isTrue();
        assertThat(state.connection.windowBytes()).isEqualTo(FULL / 4);
        assertThat(first.onCrowdLost(3 * RTT)).isTrue();
        assertThat(state.connection.windowBytes()).isEqualTo(FULL / 4);
        assertThat(first.onCrowdLost(3 * RTT + 1)).isFalse();
    }

    private void heat(int paths) {
        for (int path = 0; path < paths; path++) {
            state.signs.heat(path, RTT);
        }
    }
}
