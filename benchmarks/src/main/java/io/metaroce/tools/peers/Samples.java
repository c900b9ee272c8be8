package io.metaroce.tools.peers;

import io.metaroce.tools.CacheLine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The figures of one peer in one test. Those taken while the processors were near each other are kept apart from the
 * others, because on virtual machines that halves or doubles them.
 */
final class Samples {
    private final List<Double> near = new ArrayList<>();
    private final List<Double> other = new ArrayList<>();

    /** A figure and where the processors were before and after. */
    void add(double value, CacheLine.Placement before, CacheLine.Placement after) {
        boolean isNear = before.word().equals("near") && after.word().equals("near");
        (isNear ? near : other).add(value);
    }

    /** What it holds now. */
    Samples copy() {
        Samples copy = new Samples();
        copy.near.addAll(near);
        copy.other.addAll(other);
        return copy;
    }

    /** Whether the figures shown are those taken near. */
    boolean isNear() {
        return !near.isEmpty();
    }

    int nearCount() {
        return near.size();
    }

    int otherCount() {
        return other.size();
    }

    /** Median of those taken near, or of the others when there are none; NaN without any. */
    double median() {
        return quantile(0.5);
    }

    double least() {
        return quantile(0);
    }

    double most() {
        return quantile(1);
    }

    private double quantile(double share) {
        List<Double> sorted = new ArrayList<>(near.isEmpty() ? other : near);
        if (sorted.isEmpty()) {
            return Double.NaN;
        }
        Collections.sort(sorted);
        return sorted.get((int) Math.round(share * (sorted.size() - 1)));
    }
}
