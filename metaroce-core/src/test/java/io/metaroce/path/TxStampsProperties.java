package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Entropy;
import io.metaroce.num.Serial32;
import io.metaroce.num.SplitMix64;
import io.metaroce.num.StampClock;
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
        PathRow row = Rows.of(P);
        long now = startNs;
        int last = stamps.next(now, row);
        for (long step : smallSteps) {
            now += step == 40 ? bigStep : step;
            int next = stamps.next(now, row);
            assertThat(Serial32.isAfter(next, last)).isTrue();
            assertThat(stamps.last(row)).isEqualTo(next);
            assertThat(stamps.isSent(row, next)).isTrue();
            assertThat(stamps.isSent(row, last)).isTrue();
            // Once the clock has turned, any stamp may have been sent.
            assertThat(stamps.isSent(row, next + 1)).isEqualTo(now - startNs > WRAP_NS - 1_000);
            last = next;
        }
    }

    @Example
    @Covers("R-PATH-006")
    void runAheadOfTheClockWhenItStandsStill() {
        TxStamps stamps = new TxStamps(2);
        PathRow row = Rows.of(P);
        assertThat(stamps.next(1600, row)).isEqualTo(100);
        assertThat(stamps.next(1600, row)).isEqualTo(101);
        assertThat(stamps.next(1601, row)).isEqualTo(102);
        assertThat(stamps.next(1632, row)).isEqualTo(103);
        assertThat(stamps.next(16000, row)).isEqualTo(1000);
    }

    @Example
    @Covers("R-PATH-019")
    void startAnewFromTheClockAfterSixteenSeconds() {
        TxStamps stamps = new TxStamps(2);
        PathRow row = Rows.of(P);
        assertThat(stamps.isIdle(0, row)).isTrue();
        stamps.next(0, row);
        assertThat(stamps.isIdle(IDLE_NS - 1, row)).isFalse();
        assertThat(stamps.isIdle(IDLE_NS, row)).isTrue();
        long halfAWrapLater = WRAP_NS / 2 + 1600;
        assertThat(stamps.next(halfAWrapLater, row)).isEqualTo(StampClock.at(halfAWrapLater));
    }

    @Example
    @Covers("R-ACK-007")
    void nothingIsSentBeforeTheFirst() {
        TxStamps stamps = new TxStamps(2);
        PathRow row = Rows.of(P);
        assertThat(stamps.isSent(row, 0)).isFalse();
        assertThat(stamps.isSent(row, -1)).isFalse();
    }

    @Example
    @Covers("R-PATH-019")
    void whatWasSentBeforeTheSilenceWasSentAllTheSame() {
        TxStamps stamps = new TxStamps(2);
        PathRow row = Rows.of(P);
        int before = stamps.next(1_000_000, row);
        int after = stamps.next(1_000_000 + 40_000_000_000L, row); // more than half a turn of the clock later
        assertThat(Serial32.isAfter(before, after)).isTrue();
        assertThat(stamps.isSent(row, before)).isTrue();
        assertThat(stamps.isSent(row, after)).isTrue();
        assertThat(stamps.isSent(row, after + 1)).isFalse();
    }

    @Property(tries = 300)
    @Covers({"R-ACK-007", "R-PATH-019"})
    void whateverWasSentIsSentHoweverLongAgoAndNewsOnlyOnce(
            @ForAll @LongRange(min = 0, max = 2 * WRAP_NS) long startNs,
            @ForAll @Size(min = 2, max = 60) List<@LongRange(min = 1, max = 25_000_000_000L) Long> steps,
            @ForAll long seed) {
        TxStamps stamps = new TxStamps(2);
        PathRow row = Rows.of(P);
        Entropy chance = new SplitMix64(seed);
        long now = startNs;
        int heard = stamps.next(now, row);
        assertThat(stamps.isNews(row, heard)).isTrue();
        stamps.onEcho(row, heard);
        for (long step : steps) {
            now += step;
            int sent = stamps.next(now, row);
            // The receiver has heard nothing since and says so once more.
            assertThat(stamps.isSent(row, heard)).isTrue();
            assertThat(stamps.isNews(row, heard)).isFalse();
            if (chance.nextInt(4) == 0) {
                assertThat(stamps.isSent(row, sent)).isTrue();
                assertThat(stamps.isNews(row, sent)).isTrue();
                stamps.onEcho(row, sent);
                heard = sent;
            }
        }
    }

    @Example
    @Covers("R-LOSS-007")
    void anEchoIsNewsOnceAndOnlyInItsStretch() {
        TxStamps stamps = new TxStamps(2);
        PathRow row = Rows.of(P);
        int first = stamps.next(1_600, row);
        int second = stamps.next(3_200, row);
        assertThat(stamps.isEchoed(P)).isFalse();
        assertThat(stamps.isNews(row, second)).isTrue();
        stamps.onEcho(row, second);
        assertThat(stamps.newestEcho(P)).isEqualTo(second);
        assertThat(stamps.isNews(row, second)).isFalse();
        assertThat(stamps.isNews(row, first)).isFalse();
        int third = stamps.next(4_800, row);
        stamps.beginStretch(row);
        assertThat(stamps.isEchoed(P)).isFalse();
        assertThat(stamps.isNews(row, third)).isFalse();
        assertThat(stamps.isNews(row, stamps.next(6_400, row))).isTrue();
        assertThat(stamps.isEchoed(0)).isFalse();
    }
}
