package io.metaroce.tools.lab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What one quantity did in one run, point by point.
 *
 * @param name what it is, such as {@code goodput/all} or {@code window/path 3}: the part before the slash says what
 *     kind
 * @param x where, in rising order
 * @param y how much; as many as {@code x}
 */
public record Series(String name, List<Double> x, List<Double> y) {
    /** With copies of both lists. */
    public Series {
        if (x.size() != y.size()) {
            throw new IllegalArgumentException(name + ": " + x.size() + " places, but " + y.size() + " values");
        }
        x = List.copyOf(x);
        y = List.copyOf(y);
    }

    /** The part of the name before the slash. */
    public String kind() {
        return name.substring(0, Math.max(0, name.indexOf('/')));
    }

    /** The part of the name after the slash. */
    public String label() {
        return name.substring(name.indexOf('/') + 1);
    }

    /** Of values that are counted: the share of them that is at most so much, as a line. */
    static Series distribution(String name, double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        List<Double> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        for (int i = 0; i < sorted.length; i++) {
            // Of equal values only the last, which stands for all of them.
            if (i + 1 == sorted.length || sorted[i + 1] > sorted[i]) {
                x.add(sorted[i]);
                y.add((i + 1.0) / sorted.length);
            }
        }
        return new Series(name, x, y);
    }
}
