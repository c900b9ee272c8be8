package io.metaroce.verbs;

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

    /** The text with a full stop, if it has none. */
    static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }

    static String key(int key) {
        return String.format(Locale.ROOT, "0x%08x", key);
    }
}
