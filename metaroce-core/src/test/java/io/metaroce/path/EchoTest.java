package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.Test;

class EchoTest {
    private static final long IDLE_NS = 16_000_000_000L;
    private final Echo echo = new Echo();

    @Test
    @Covers("R-PATH-013")
    void theHighestStampRulesWhateverOlderOneComesLater() {
        assertThat(echo.onStamp(100, 50, 3)).isTrue();
        assertThat(echo.onStamp(200, 49, 4)).isFalse();
        assertThat(echo.onStamp(300, 50, 4)).isFalse();
        assertEcho(50, 3, 100);
        assertThat(echo.onStamp(400, 51, 3)).isFalse();
        assertEcho(51, 3, 400);
    }

    @Test
    @Covers("R-PATH-013")
    void aNewEpochIsWhatTheNewestStampCameWith() {
        echo.onStamp(100, 50, 255);
        assertThat(echo.onStamp(200, 60, 0)).isTrue();
        assertEcho(60, 0, 200);
        // Epochs have no order: the stamp alone decides, so a late packet of the old epoch changes nothing.
        assertThat(echo.onStamp(300, 59, 255)).isFalse();
        assertEcho(60, 0, 200);
    }

    @Test
    @Covers("R-PATH-002")
    void stampsWrap() {
        echo.onStamp(0, 0x7FFF_FFFF, 0);
        echo.onStamp(1, 0x8000_0000, 0);
        assertEcho(0x8000_0000, 0, 1);
        echo.onStamp(2, -1, 0);
        echo.onStamp(3, 4, 0);
        assertEcho(4, 0, 3);
        echo.onStamp(4, -1, 0);
        assertEcho(4, 0, 3);
    }

    @Test
    @Covers("R-PATH-019")
    void afterSixteenSecondsOfSilenceAnyStampIsTaken() {
        echo.onStamp(1000, 5000, 7);
        assertThat(echo.onStamp(1000 + IDLE_NS, 3, 7)).isFalse();
        assertEcho(3, 7, 1000 + IDLE_NS);
        echo.onStamp(1000 + 2 * IDLE_NS, 2, 6);
        assertEcho(2, 6, 1000 + 2 * IDLE_NS);
    }

    @Test
    @Covers("R-PATH-019")
    void aNanosecondLessIsNotSilence() {
        echo.onStamp(1000, 5000, 7);
        echo.onStamp(999 + IDLE_NS, 3, 8);
        assertEcho(5000, 7, 1000);
        // An old stamp is an arrival as well, so the silence begins anew.
        echo.onStamp(998 + 2 * IDLE_NS, 3, 8);
        assertEcho(5000, 7, 1000);
    }

    private void assertEcho(int stamp, int epoch, long atNs) {
        assertThat(echo.stamp()).isEqualTo(stamp);
        assertThat(echo.epoch()).isEqualTo(epoch);
        assertThat(echo.atNs()).isEqualTo(atNs);
    }
}
