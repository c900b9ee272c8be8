package io.metaroce.collective;

/** How two elements become one. */
public enum Reduction {
    /** Their sum. */
    SUM,
    /** The lesser one. */
    MIN,
    /** The greater one. */
    MAX
}
