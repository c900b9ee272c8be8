package io.metaroce.tools.lab;

import java.util.List;
import java.util.Map;

/**
 * What one cell gave.
 *
 * @param figures its figures by name; none if it failed
 * @param series what it drew
 * @param failure why it could not be finished, or empty
 */
record CellResult(Map<String, Double> figures, List<Series> series, String failure) {
    /** A run that could not be finished. */
    static CellResult failed(String why) {
        return new CellResult(Map.of(), List.of(), why.isEmpty() ? "no reason given" : why);
    }

    boolean isFailed() {
        return !failure.isEmpty();
    }
}
