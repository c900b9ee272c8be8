package io.metaroce.num;

/**
 * The only randomness the engine knows. Every purpose takes its own split, so that one more draw shifts nobody else.
 *
 * <p>Thread rule: confined to the thread that owns it.
 */
public interface Entropy {
    /** The next 64 uniformly distributed bits. */
    long nextLong();

    /**
     * An independent generator for the purpose {@code label} and the object {@code id}; does not draw from this one.
     */
    Entropy split(String label, long id);

    /** A uniform number in {@code 0..bound-1}; {@code bound} in 1..2^31-1. */
    default int nextInt(int bound) {
        return (int) (((nextLong() >>> 32) * bound) >>> 32);
    }
}
