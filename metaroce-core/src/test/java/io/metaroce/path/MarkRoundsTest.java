package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.Test;

/** When a path has been marked for how long, and when nothing can be said. */
@Covers("R-HEALTH-010")
class MarkRoundsTest {
    private static final long RTT_NS = 10_000;
    private static final int P = 1;
    private final MarkRounds rounds = new MarkRounds(2);
    private long nowNs;

    @Test
    void aPathThatCarriesOnePacketPerRoundTripIsNotHotAfterFourMarks() {
        for (int i = 0; i < 4; i++) {
            assertThat(turn(1, 1)).isFalse();
        }
        assertThat(rounds.hotRounds(P)).isZero();
        assertThat(rounds.isKnown(P)).isFalse();
    }

    @Test
    void roundsRunningCountUntilOneIsMarkedLittle() {
        for (int i = 1; i <= 4; i++) {
            assertThat(turn(8, 4)).isTrue();
            assertThat(rounds.hotRounds(P)).isEqualTo(i);
        }
        assertThat(rounds.fractionQ16(P)).isEqualTo(1 << 15);
        assertThat(turn(8, 3)).isTrue();
        assertThat(rounds.hotRounds(P)).isZero();
    }

    @Test
    void aRoundLastsARoundTripHoweverMuchComes() {
        assertThat(turn(8, 8)).isTrue();
        rounds.onBlock(P, 100, 100);
        assertThat(rounds.isOver(nowNs + RTT_NS - 1, P)).isFalse();
        assertThat(rounds.isOver(nowNs + RTT_NS, P)).isTrue();
    }

    @Test
    void anotherRouteIsUnknown() {
        turn(8, 8);
        rounds.restart(P);
        assertThat(rounds.isKnown(P)).isFalse();
        assertThat(rounds.hotRounds(P)).isZero();
    }

    @Test
    void aThousandRoundsRunningAreMoreThanEnough() {
        for (int i = 0; i < 1000; i++) {
            turn(8, 8);
        }
        assertThat(rounds.hotRounds(P)).isEqualTo(127);
        assertThat(rounds.isKnown(0)).isFalse();
    }

    @Test
    void ofARoundWithoutEndTheFirstSixtyFiveThousandPacketsCount() {
        rounds.onBlock(P, 65_535 - 8, 0);
        rounds.onBlock(P, Integer.MAX_VALUE, 65_535);
        rounds.onBlock(P, 9, 9);
        assertThat(turn(8, 8)).isTrue();
        assertThat(rounds.fractionQ16(P)).isEqualTo(8);
        rounds.onBlock(P, 8, 65_535);
        assertThat(turn(0, 65_535)).as("more marks than packets").isTrue();
        assertThat(rounds.fractionQ16(P)).isEqualTo(65_535);
        assertThat(rounds.hotRounds(P)).isEqualTo(1);
    }

    private boolean turn(int received, int marked) {
        nowNs += RTT_NS;
        rounds.onBlock(P, received, marked);
        boolean over = rounds.isOver(nowNs, P);
        if (over) {
            rounds.turn(nowNs, P, RTT_NS);
        }
        return over;
    }
}
