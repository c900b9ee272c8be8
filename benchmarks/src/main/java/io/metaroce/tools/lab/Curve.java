package io.metaroce.tools.lab;

import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Closed forms that pictures draw beside what was measured. */
enum Curve {
    /** What is left when x percent of the packets are lost. */
    WHAT_IS_LEFT("what is not lost: 1 - p", x -> 1 - x / 100),
    /** What is divided by its bound is at best 1. */
    BOUND("the bound", x -> 1),
    /** Go-back-N without timeouts when a round trip of profile A12 is under way: each loss costs a window. */
    GO_BACK_N("go-back-N in theory: (1 - p) / (1 + 147 p)", x -> (1 - x / 100) / (1 + 147 * x / 100));

    private final String label;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final DoubleUnaryOperator form;

    Curve(String label, DoubleUnaryOperator form) {
        this.label = label;
        this.form = form;
    }

    /** Its values at these places. */
    Series at(List<Double> x) {
        return new Series(
                "curve/" + label, x, x.stream().map(form::applyAsDouble).toList());
    }
}
