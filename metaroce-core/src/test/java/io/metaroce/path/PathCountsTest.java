package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PathCountsTest {
    private static final long EVENTS_MAX = (1L << 32) - 1;
    private final PathRow row = Rows.of(3);

    @Test
    void eachKindIsCountedByItself() {
        PathCounts.onOpened(row);
        PathCounts.onSent(row);
        PathCounts.onSent(row);
        PathCounts.onLost(row);
        PathCounts.onResent(row, 4);
        PathCounts.onSpurious(row, 7);
        PathCounts.onProbe(row);
        PathCounts.onReport(row, 9, 8);
        assertThat(PathStats.of(row)).isEqualTo(new PathStats(1, 2, 5, 1, 7, 1, 8, 9));
    }

    @Test
    void eventsStopAtTheTopAndPacketsGoOn() {
        for (int i = 0; i < 3; i++) {
            PathCounts.onReport(row, Integer.MAX_VALUE, Integer.MAX_VALUE);
        }
        assertThat(PathStats.of(row).duplicates()).isEqualTo(EVENTS_MAX);
        assertThat(PathStats.of(row).marks()).isEqualTo(3L * Integer.MAX_VALUE);
        PathCounts.onReport(row, 0, 1);
        assertThat(PathStats.of(row).duplicates()).isEqualTo(EVENTS_MAX);
    }
}
