package io.metaroce.verbs;

import java.time.Duration;

/** Durations as the engine counts them. */
final class Durations {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private Durations() {}

    /** The duration in ns: at least 0, at most 292 years. */
    static long toNanos(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }
}
