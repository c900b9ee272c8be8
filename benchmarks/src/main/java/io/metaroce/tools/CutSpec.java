package io.metaroce.tools;

import java.time.Duration;
import java.util.Optional;

/**
 * Which path to cut and when, as people type it: {@code 3}, {@code 3@1s}; without a time at once.
 *
 * @param path path number
 * @param after how long after the start
 */
public record CutSpec(int path, Duration after) {
    /** Reads a cut. */
    public static CutSpec parse(String text) {
        int at = text.indexOf('@');
        try {
            int path = Integer.parseInt(
                    at < 0 ? text.trim() : text.substring(0, at).trim());
            Optional<Duration> after = at < 0
                    ? Optional.empty()
                    : Optional.of(Span.parse(text.substring(at + 1)).duration());
            if (path >= 0) {
                return new CutSpec(path, after.orElse(Duration.ZERO));
            }
        } catch (NumberFormatException e) {
            // told below, with everything else that is no cut
        }
        throw new IllegalArgumentException("'" + text + "' is no cut; write the number of a path, or 3@1s");
    }
}
