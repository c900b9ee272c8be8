package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.Test;

/** When a path has been marked for how long, and when nothing can be said. */
@Covers("R-HEALTH-010")
class MarkRoundsTest {
    private static final long RTT_NS = 10_000;
    private final MarkRounds rounds = new MarkRounds();
    private long nowNs;

    @Test
    void aPathThatCarriesOnePacketPerRoundTripIsNotHotAfterFourMarks() {
        for (int i = 0; i < 4; i++) {
            assertThat(turn(1, 1)).isFalse();
        }
        assertThat(rounds.hotRounds()).isZero();
        assertThat(rounds.isKnown()).isFalse();
    }

    @Test
    void roundsRunningCountUntilOneIsMarkedLittle() {
        for (int i = 1; i <= 4; i++) {
            assertThat(turn(8, 4)).isTrue();
            assertThat(rounds.hotRounds()).isEqualTo(i);
        }
        assertThat(rounds.fractionQ16()).isEqualTo(1 << 15);
        assertThat(turn(8, 3)).isTrue();
        assertThat(rounds.hotRounds()).isZero();
    }

    @Test
    void anotherRouteIsUnknown() {
        turn(8, 8);
        rounds.restart();
        assertThat(rounds.isKnown()).isFalse();
        assertThat(rounds.hotRounds()).isZero();
    }

    private boolean turn(int received, int marked) {
        nowNs += RTT_NS;
        rounds.onBlock(received, marked);
        return rounds.turns(nowNs, RTT_NS);
    }
}
