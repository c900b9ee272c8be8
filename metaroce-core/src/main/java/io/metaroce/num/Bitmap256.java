package io.metaroce.num;

/**
 * 256 bits in four words. Bit {@code i} is word {@code i / 64}, bit {@code i % 64} counted from the least significant.
 */
public final class Bitmap256 {
    /** Number of bits. */
    public static final int WIDTH = 256;

    private static final int WORDS = 4;
    private final long[] words = new long[WORDS];

    /** Whether bit {@code i} (0..255) is set. */
    public boolean get(int i) {
        return (words[i >>> 6] & (1L << i)) != 0;
    }

    /** Sets bit {@code i} (0..255). */
    public void set(int i) {
        words[i >>> 6] |= 1L << i;
    }

    /** Word {@code index} (0..3), as it travels in a path block. */
    public long word(int index) {
        return words[index];
    }

    /** Length of the run of ones that starts at bit 0, in 0..256. */
    public int trailingOnes() {
        for (int w = 0; w < WORDS; w++) {
            if (words[w] != -1L) {
                return (w << 6) + Long.numberOfTrailingZeros(~words[w]);
            }
        }
        return WIDTH;
    }

    /** Index of the highest bit set, or -1 when none is. */
    public int highestOne() {
        for (int w = WORDS - 1; w >= 0; w--) {
            if (words[w] != 0) {
                return (w << 6) + 63 - Long.numberOfLeadingZeros(words[w]);
            }
        }
        return -1;
    }

    /**
     * Moves every bit down by {@code n} (0..256); bits that fall off the low end are gone, zeros come in at the top.
     */
    public void shiftDown(int n) {
        int skip = n >>> 6;
        int bits = n & 63;
        for (int w = 0; w < WORDS; w++) {
            long low = wordOrZero(w + skip);
            long high = wordOrZero(w + skip + 1);
            words[w] = bits == 0 ? low : (low >>> bits) | (high << (64 - bits));
        }
    }

    /** Clears every bit. */
    public void clear() {
        for (int w = 0; w < WORDS; w++) {
            words[w] = 0;
        }
    }

    private long wordOrZero(int index) {
        return index < WORDS ? words[index] : 0;
    }
}
