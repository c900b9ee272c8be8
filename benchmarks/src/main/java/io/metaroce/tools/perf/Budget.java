package io.metaroce.tools.perf;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long to go on.
 *
 * @param messages how many; without a time
 * @param time how long instead, or null
 */
record Budget(long messages, @Nullable Duration time) {
    boolean allows(long posted, long startNs) {
        return time == null ? posted < messages : System.nanoTime() - startNs < time.toNanos();
    }

    /** Messages that are left; nobody knows how many where a time is the limit. */
    long left(long posted) {
        return time == null ? messages - posted : Long.MAX_VALUE;
    }
}
