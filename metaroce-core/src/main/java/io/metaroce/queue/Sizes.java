package io.metaroce.queue;

/** Bounds of the sizes that rings are made with. */
final class Sizes {
    static final int DEPTH_MAX = 1 << 20;
    static final int SGE_MAX = 256;
    static final int INLINE_BYTES_MAX = 1 << 16;

    private Sizes() {}

    static void range(String option, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(option + " = " + value + " is outside " + low + ".." + high);
        }
    }
}
