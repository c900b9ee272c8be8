package io.metaroce.tools;

import java.time.Duration;
import java.util.Locale;

/**
 * A length of time as people type it: {@code 500us}, {@code 10ms}, {@code 2s}, {@code 1m}; a bare number means seconds.
 *
 * @param duration the time
 */
public record Span(Duration duration) {
    /** Reads a length of time. */
    public static Span parse(String text) {
        String trimmed = text.trim().toLowerCase(Locale.ROOT);
        int unitAt = 0;
        while (unitAt < trimmed.length()
                && (Character.isDigit(trimmed.charAt(unitAt)) || trimmed.charAt(unitAt) == '.')) {
            unitAt++;
        }
        try {
            double number = Double.parseDouble(trimmed.substring(0, unitAt));
            double nanos = number
                    * switch (trimmed.substring(unitAt)) {
                        case "ns" -> 1;
                        case "us" -> 1e3;
                        case "ms" -> 1e6;
                        case "", "s" -> 1e9;
                        case "m" -> 60e9;
                        default -> throw new NumberFormatException();
                    };
            return new Span(Duration.ofNanos((long) nanos));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no time; write 500us, 10ms, 2s or 1m", e);
        }
    }
}
