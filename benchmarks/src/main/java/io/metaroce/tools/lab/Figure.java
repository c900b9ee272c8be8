package io.metaroce.tools.lab;

import java.util.List;

/**
 * One figure over several seeds.
 *
 * @param median the middle one, or the mean of the two in the middle
 * @param min the least
 * @param max the greatest
 * @param seeds how many
 */
public record Figure(double median, double min, double max, int seeds) {
    /** Of values in any order; there must be one. */
    public static Figure of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int n = sorted.size();
        double median = n % 2 == 1 ? sorted.get(n / 2) : (sorted.get(n / 2 - 1) + sorted.get(n / 2)) / 2;
        return new Figure(median, sorted.get(0), sorted.get(n - 1), n);
    }
}
