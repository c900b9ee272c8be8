package io.metaroce.sim;

/** Folds words into one, a multiplication each; whoever uses it mixes the result once at the end. */
final class Fold {
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private Fold() {}

    static long with(long fold, long word) {
        long spread = (fold ^ word) * SPREAD;
        return spread ^ (spread >>> 32);
    }
}
