package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Serial32;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class TxStampsProperties {
    private static final int P = 1;
    private static final long IDLE_NS = 16_000_000_000L;
    private static final long WRAP_NS = 16L << 32;

    @Property(tries = 300)
    @Covers({"R-PATH-006", "R-PATH-002"})
    void strictlyIncreaseWhateverTheClockDoesShortOfSixteenSeconds(
            @ForAll @LongRange(min = 0, max = 2 * WRAP_NS) long startNs,
            @ForAll @Size(max = 200) List<@LongRange(min = 0, max = 40) Long> smallSteps,
            @ForAll @LongRange(min = 0, max = IDLE_NS - 1) long bigStep) {
        TxStamps stamps = new TxStamps(2);
        long now = startNs;
        int last = stamps.next(now, P);
        for (long step : smallSteps) {
            now += step == 40 ? bigStep : step;
            int next = stamps.next(now, P);
            assertThat(Serial32.isAfter(next, last)).isTrue();
            assertThat(stamps.last(P)).isEqualTo(next);
            assertThat(stamps.isSent(P, next)).isTrue();
            assertThat(stamps.isSent(P, last)).isTrue();
            assertThat(stamps.isSent(P, next + 1)).isFalse();
            last = next;
        }
    }

    @Example
    @Covers("R-PATH-006")
    void runAheadOfTheClockWhenItStandsStill() {
        TxStamps stamps = new TxStamps(2);
        assertThat(stamps.next(1600, P)).isEqualTo(100);
        assertThat(stamps.next(1600, P)).isEqualTo(101);
        assertThat(stamps.next(1601, P)).isEqualTo(102);
        assertThat(stamps.next(1632, P)).isEqualTo(103);
        assertThat(stamps.next(16000, P)).isEqualTo(1000);
    }

    @Example
    @Covers("R-PATH-019")
    void startAnewFromTheClockAfterSixteenSeconds() {
        TxStamps stamps = new TxStamps(2);
        assertThat(stamps.isIdle(0, P)).isTrue();
        stamps.next(0, P);
        assertThat(stamps.isIdle(IDLE_NS - 1, P)).isFalse();
        assertThat(stamps.isIdle(IDLE_NS, P)).isTrue();
        long halfAWrapLater = WRAP_NS / 2 + 1600;
        assertThat(stamps.next(halfAWrapLater, P)).isEqualTo(TxStamps.clock(halfAWrapLater));
    }

    @Example
    @Covers("R-ACK-007")
    void nothingIsSentBeforeTheFirst() {
        TxStamps stamps = new TxStamps(2);
        assertThat(stamps.isSent(P, 0)).isFalse();
        assertThat(stamps.isSent(P, -1)).isFalse();
    }

    @Example
    @Covers("R-PATH-019")
    void whatWasSentBeforeTheSilenceWasSentAllTheSame() {
        TxStamps stamps = new TxStamps(2);
        int before = stamps.next(1_000_000, P);
        int after = stamps.next(1_000_000 + 40_000_000_000L, P); // more than half a turn of the clock later
        assertThat(Serial32.isAfter(before, after)).isTrue();
        assertThat(stamps.isSent(P, before)).isTrue();
        assertThat(stamps.isSent(P, after)).isTrue();
        assertThat(stamps.isSent(P, after + 1)).isFalse();
    }

    @Example
    @Covers("R-LOSS-007")
    void anEchoIsNewsOnceAndOnlyInItsStretch() {
        TxStamps stamps = new TxStamps(2);
        int first = stamps.next(1_600, P);
        int second = stamps.next(3_200, P);
        assertThat(stamps.isEchoed(P)).isFalse();
        assertThat(stamps.isNews(P, second)).isTrue();
        stamps.onEcho(P, second);
        assertThat(stamps.newestEcho(P)).isEqualTo(second);
        assertThat(stamps.isNews(P, second)).isFalse();
        assertThat(stamps.isNews(P, first)).isFalse();
        int third = stamps.next(4_800, P);
        stamps.beginStretch(P);
        assertThat(stamps.isEchoed(P)).isFalse();
        assertThat(stamps.isNews(P, third)).isFalse();
        assertThat(stamps.isNews(P, stamps.next(6_400, P))).isTrue();
        assertThat(stamps.isSent(0, first)).isFalse();
    }
}
