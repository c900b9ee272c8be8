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
    private static final long IDLE_NS = 16_000_000_000L;
    private static final long WRAP_NS = 16L << 32;

    @Property(tries = 300)
    @Covers({"R-PATH-006", "R-PATH-002"})
    void strictlyIncreaseWhateverTheClockDoesShortOfSixteenSeconds(
            @ForAll @LongRange(min = 0, max = 2 * WRAP_NS) long startNs,
            @ForAll @Size(max = 200) List<@LongRange(min = 0, max = 40) Long> smallSteps,
            @ForAll @LongRange(min = 0, max = IDLE_NS - 1) long bigStep) {
        TxStamps stamps = new TxStamps();
        long now = startNs;
        int last = stamps.next(now);
        for (long step : smallSteps) {
            now += step == 40 ? bigStep : step;
            int next = stamps.next(now);
            assertThat(Serial32.isAfter(next, last)).isTrue();
            assertThat(stamps.last()).isEqualTo(next);
            assertThat(stamps.isSent(next)).isTrue();
            assertThat(stamps.isSent(last)).isTrue();
            assertThat(stamps.isSent(next + 1)).isFalse();
            last = next;
        }
    }

    @Example
    @Covers("R-PATH-006")
    void runAheadOfTheClockWhenItStandsStill() {
        TxStamps stamps = new TxStamps();
        assertThat(stamps.next(1600)).isEqualTo(100);
        assertThat(stamps.next(1600)).isEqualTo(101);
        assertThat(stamps.next(1601)).isEqualTo(102);
        assertThat(stamps.next(1632)).isEqualTo(103);
        assertThat(stamps.next(16000)).isEqualTo(1000);
    }

    @Example
    @Covers("R-PATH-019")
    void startAnewFromTheClockAfterSixteenSeconds() {
        TxStamps stamps = new TxStamps();
        assertThat(stamps.isIdle(0)).isTrue();
        stamps.next(0);
        assertThat(stamps.isIdle(IDLE_NS - 1)).isFalse();
        assertThat(stamps.isIdle(IDLE_NS)).isTrue();
        long halfAWrapLater = WRAP_NS / 2 + 1600;
        assertThat(stamps.next(halfAWrapLater)).isEqualTo(TxStamps.clock(halfAWrapLater));
    }

    @Example
    @Covers("R-ACK-007")
    void nothingIsSentBeforeTheFirst() {
        TxStamps stamps = new TxStamps();
        assertThat(stamps.isSent(0)).isFalse();
        assertThat(stamps.isSent(-1)).isFalse();
    }

    @Example
    @Covers("R-PATH-019")
    void whatWasSentBeforeTheSilenceWasSentAllTheSame() {
        TxStamps stamps = new TxStamps();
        int before = stamps.next(1_000_000);
        int after = stamps.next(1_000_000 + 40_000_000_000L); // more than half a turn of the clock later
        assertThat(Serial32.isAfter(before, after)).isTrue();
        assertThat(stamps.isSent(before)).isTrue();
        assertThat(stamps.isSent(after)).isTrue();
        assertThat(stamps.isSent(after + 1)).isFalse();
    }
}
