package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.Test;

class EchoTest {
    private static final long IDLE_NS = 16_000_000_000L;
    private final InboundPath path = new InboundPath(0, 0, RxWindow.WIDTH_PACKETS, 4);

    @Test
    @Covers("R-PATH-013")
    void theHighestStampRulesWhateverOlderOneComesLater() {
        assertThat(Echo.onStamp(100, path, 50, 3)).isTrue();
        assertThat(Echo.onStamp(200, path, 49, 4)).isFalse();
        assertThat(Echo.onStamp(300, path, 50, 4)).isFalse();
        assertEcho(50, 3, 100);
        assertThat(Echo.onStamp(400, path, 51, 3)).isFalse();
        assertEcho(51, 3, 400);
    }

    @Test
    @Covers("R-PATH-013")
    void aNewEpochIsWhatTheNewestStampCameWith() {
        Echo.onStamp(100, path, 50, 255);
        assertThat(Echo.onStamp(200, path, 60, 0)).isTrue();
        assertEcho(60, 0, 200);
        // Epochs have no order: the stamp alone decides, so a late packet of the old epoch changes nothing.
        assertThat(Echo.onStamp(300, path, 59, 255)).isFalse();
        assertEcho(60, 0, 200);
    }

    @Test
    @Covers("R-PATH-002")
    void stampsWrap() {
        Echo.onStamp(0, path, 0x7FFF_FFFF, 0);
        Echo.onStamp(1, path, 0x8000_0000, 0);
        assertEcho(0x8000_0000, 0, 1);
        Echo.onStamp(2, path, -1, 0);
        Echo.onStamp(3, path, 4, 0);
        assertEcho(4, 0, 3);
        Echo.onStamp(4, path, -1, 0);
        assertEcho(4, 0, 3);
    }

    @Test
    @Covers("R-PATH-019")
    void afterSixteenSecondsOfSilenceAnyStampIsTaken() {
        Echo.onStamp(1000, path, 5000, 7);
        assertThat(Echo.onStamp(1000 + IDLE_NS, path, 3, 7)).isFalse();
        assertEcho(3, 7, 1000 + IDLE_NS);
        Echo.onStamp(1000 + 2 * IDLE_NS, path, 2, 6);
        assertEcho(2, 6, 1000 + 2 * IDLE_NS);
    }

    @Test
    @Covers("R-PATH-019")
    void aNanosecondLessIsNotSilence() {
        Echo.onStamp(1000, path, 5000, 7);
        Echo.onStamp(999 + IDLE_NS, path, 3, 8);
        assertEcho(5000, 7, 1000);
        // An old stamp is an arrival as well, so the silence begins anew.
        Echo.onStamp(998 + 2 * IDLE_NS, path, 3, 8);
        assertEcho(5000, 7, 1000);
    }

    private void assertEcho(int stamp, int epoch, long atNs) {
        assertThat(Echo.stamp(path)).isEqualTo(stamp);
        assertThat(Echo.epoch(path)).isEqualTo(epoch);
        assertThat(Echo.atNs(path)).isEqualTo(atNs);
    }
}
