package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The window against a set that remembers everything. */
class ReplayWindowProperties {
    @Property(tries = 500)
    @Covers("R-SEC-005")
    void withinTheExactPartEachCounterPassesOnce(
            @ForAll @Size(max = 300) List<@IntRange(min = -5000, max = 1500) Integer> steps) {
        ReplayWindow window = new ReplayWindow();
        TreeSet<Long> seen = new TreeSet<>();
        long newest = 0;
        for (int step : steps) {
            long counter = newest + step;
            boolean expected = counter > 0 && (newest - counter >= ReplayWindow.EXACT || !seen.contains(counter));
            assertThat(window.isFresh(counter)).as(counter + " after " + newest).isEqualTo(expected);
            if (expected) {
                window.accept(counter);
                seen.add(counter);
                newest = Math.max(newest, counter);
            }
        }
    }

    @Example
    @Covers("R-SEC-005")
    void whatIsOlderThanTheBoundIsDropped() {
        ReplayWindow window = new ReplayWindow();
        long newest = ReplayWindow.BEHIND_MAX + 100;
        window.accept(newest);
        assertThat(window.isFresh(newest - ReplayWindow.BEHIND_MAX)).isTrue();
        assertThat(window.isFresh(newest - ReplayWindow.BEHIND_MAX - 1)).isFalse();
        assertThat(window.isFresh(newest)).isFalse();
        assertThat(window.isFresh(newest + 1)).isTrue();
    }

    @Property(tries = 60)
    @Covers("R-SEC-005")
    void aLeapForgetsExactlyWhatItLeavesBehind(@ForAll @IntRange(min = -2, max = 2) int beyond) {
        ReplayWindow window = new ReplayWindow();
        for (long counter = 1; counter <= ReplayWindow.EXACT; counter++) {
            window.accept(counter);
        }
        long leap = 2L * ReplayWindow.EXACT + beyond;
        window.accept(leap);
        assertThat(window.isFresh(leap)).isFalse();
        for (long counter = leap - ReplayWindow.EXACT + 1; counter < leap; counter++) {
            assertThat(window.isFresh(counter))
                    .as("%d after %d", counter, leap)
                    .isEqualTo(counter > ReplayWindow.EXACT);
        }
        long oldest = leap - ReplayWindow.EXACT + 1;
        window.accept(oldest);
        assertThat(window.isFresh(oldest)).isFalse();
        window.accept(oldest - 1); // no place of its own any more: it takes that of nobody
        assertThat(window.isFresh(leap)).isFalse();
        assertThat(window.isFresh(leap + 1)).isTrue();
        assertThat(window.isFresh(leap - 1)).isTrue();
    }
}
