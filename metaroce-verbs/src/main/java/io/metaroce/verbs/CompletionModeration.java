package io.metaroce.verbs;

import java.time.Duration;

/**
 * How long a completion queue keeps the results that have come to itself before it wakes somebody: the pair of
 * {@code cq_count} and {@code cq_period} of {@code ibv_modify_cq}.
 *
 * @param count results after which it wakes, 1..65,535; with 1 it wakes at the first
 * @param period how long the first result waits for the others at most, up to one second; above zero unless the count
 *     is 1, or the last results of a burst would wake nobody
 */
public record CompletionModeration(int count, Duration period) {
    private static final int COUNT_MAX = 65_535;
    private static final Duration PERIOD_MAX = Duration.ofSeconds(1);

    /** Every result wakes. */
    public static final CompletionModeration NONE = new CompletionModeration(1, Duration.ZERO);

    /** Checks the ranges. */
    public CompletionModeration {
        if (count < 1 || count > COUNT_MAX) {
            throw refused("an event after " + count + " results", "1 to " + COUNT_MAX, "count");
        }
        if (period.isNegative() || period.compareTo(PERIOD_MAX) > 0 || (count > 1 && period.isZero())) {
            throw refused(
                    "a period of " + period + " with a count of " + count,
                    "above zero, " + PERIOD_MAX + " at most",
                    "period");
        }
    }

    /** Wakes after so many results, or when the first has waited so long. */
    public static CompletionModeration of(int count, Duration period) {
        return new CompletionModeration(count, period);
    }

    long periodNs() {
        return period.toNanos();
    }

    private static VerbsException refused(String asked, String allowed, String which) {
        return new VerbsException("CompletionModeration", asked, allowed, "give another " + which);
    }
}
