package io.metaroce.verbs;

import java.time.Duration;

/**
 * How often and how patiently to try to connect again. Only what may pass by itself is tried again: nobody is there,
 * nothing came back, nobody listens yet. A peer that refuses is not asked twice.
 *
 * @param first pause before the second attempt; each further one is twice as long
 * @param longest longest pause
 * @param total no attempt begins after this time
 */
public record RetryPolicy(Duration first, Duration longest, Duration total) {
    /** One attempt. */
    public static final RetryPolicy NONE = new RetryPolicy(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /** Refuses negative times. */
    public RetryPolicy {
        if (first.isNegative() || longest.compareTo(first) < 0 || total.isNegative()) {
            throw new VerbsException(
                    "RetryPolicy",
                    "first " + first + ", longest " + longest + ", total " + total,
                    "none may be negative, and longest is at least first",
                    "change them");
        }
    }

    /** For a client that may start before its server: pauses of 50 ms to 1 s, for so long in all. */
    public static RetryPolicy patient(Duration total) {
        return new RetryPolicy(Duration.ofMillis(50), Duration.ofSeconds(1), total);
    }

    /** The pause after one of this length. */
    Duration after(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(longest) > 0 ? longest : twice;
    }

    static boolean mayPass(ConnectFailure failure) {
        return switch (failure) {
            case PORT_UNREACHABLE, TIMED_OUT, NO_SERVICE -> true;
            case REJECTED, ABANDONED -> false;
        };
    }
}
