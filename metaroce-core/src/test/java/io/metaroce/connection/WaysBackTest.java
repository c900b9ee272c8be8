package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaysBackTest {
    private static final long RTT = 10_000;
    private final WaysBack ways = new WaysBack();

    @Test
    void nothingIsKnownAtFirst() {
        assertThat(ways.spreadNs()).isZero();
    }

    @Test
    void theSpreadIsThatBetweenTheSlowestAndTheFastest() {
        arrive(1_000_000, 5_008);
        arrive(1_000_160, 5_008);
        assertThat(ways.spreadNs()).isZero();
        arrive(1_010_000, 6_608);
        arrive(1_020_000, 4_208);
        assertThat(ways.spreadNs()).isEqualTo(2_400);
    }

    @Test
    void theClockOfThePeerMayStandAnywhereAndTurnRound() {
        int offset = Integer.MAX_VALUE;
        ways.onReport(1_600, 100 - offset - 3, RTT);
        ways.onReport(1_600, 100 - offset + 4, RTT);
        assertThat(ways.spreadNs()).isEqualTo(7 * 16);
    }

    @Test
    void whatWasSlowLongAgoIsForgotten() {
        arrive(1_000_000, 9_600);
        arrive(1_000_000, 1_600);
        arrive(1_000_000 + 32 * RTT, 1_600);
        assertThat(ways.spreadNs()).isEqualTo(8_000);
        arrive(1_000_000 + 64 * RTT, 1_600);
        assertThat(ways.spreadNs()).isZero();
    }

    private void arrive(long nowNs, long delayNs) {
        ways.onReport(nowNs, (int) ((nowNs - delayNs) >>> 4), RTT);
    }
}
