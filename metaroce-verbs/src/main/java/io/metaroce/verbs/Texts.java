package io.metaroce.verbs;

import io.metaroce.param.CloseReason;
import java.time.Duration;
import java.util.Locale;

/** Durations and byte counts as people write them. */
final class Texts {
    private Texts() {}

    static String of(Duration duration) {
        long ns = Durations.toNanos(duration);
        if (ns < 10_000) {
            return ns + " ns";
        }
        if (ns < 10_000_000) {
            return ns / 1_000 + " us";
        }
        if (ns < 10_000_000_000L) {
            return ns / 1_000_000 + " ms";
        }
        return ns / 1_000_000_000 + " s";
    }

    /** A reason and what is known beside it, said once. */
    static String of(CloseReason reason, String detail) {
        if (detail.contains(reason.sentence())) {
            return detail;
        }
        return detail.isEmpty() ? reason.sentence() : reason.sentence() + ": " + detail;
    }

    /** The text with a full stop, if it has none. */
    static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }

    static String key(int key) {
        return String.format(Locale.ROOT, "0x%08x", key);
    }
}
