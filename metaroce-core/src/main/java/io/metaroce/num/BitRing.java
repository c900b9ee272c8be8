package io.metaroce.num;

/**
 * Bits for the numbers of a sliding window: number {@code n} stands at place {@code n} modulo the width, so that the
 * window slides without moving a bit. Numbers may wrap, since the width divides 2^32.
 */
public final class BitRing {
    private static final int WORD_BITS = 64;
    private static final int WORD_SHIFT = 6;

    private final long[] words;
    private final int wordMask;

    /** A ring of {@code width} bits, a power of two and at least 64; none is set. */
    public BitRing(int width) {
        if (width < WORD_BITS || Integer.bitCount(width) != 1) {
            throw new IllegalArgumentException("a ring of " + width + " bits: a power of two from 64 on is allowed");
        }
        words = new long[width >>> WORD_SHIFT];
        wordMask = words.length - 1;
    }

    /** Bits it holds. */
    public int width() {
        return words.length << WORD_SHIFT;
    }

    /** Whether the bit of number {@code n} is set. */
    public boolean get(int n) {
        return (words[(n >>> WORD_SHIFT) & wordMask] & (1L << n)) != 0;
    }

    /** Sets the bit of number {@code n}. */
    public void set(int n) {
        words[(n >>> WORD_SHIFT) & wordMask] |= 1L << n;
    }

    /** Clears the bit of number {@code n}. */
    public void clear(int n) {
        words[(n >>> WORD_SHIFT) & wordMask] &= ~(1L << n);
    }

    /** Clears the run of ones that begins with number {@code from}, and answers with its length. */
    public int clearRun(int from) {
        int n = from;
        do {
            int word = (n >>> WORD_SHIFT) & wordMask;
            int run = Long.numberOfTrailingZeros(~(words[word] >>> n));
            if (run == 0) {
                break;
            }
            words[word] &= ~((-1L >>> (WORD_BITS - run)) << n);
            n += run;
        } while (n % WORD_BITS == 0);
        return n - from;
    }

    /** The 64 bits of the numbers from {@code from} on, the first as the least significant. */
    public long word(int from) {
        int word = (from >>> WORD_SHIFT) & wordMask;
        long low = words[word] >>> from;
        // Shifting twice, since a shift by 64 would be one by nothing.
        long high = (words[(word + 1) & wordMask] << 1) << ~from;
        return low | high;
    }
}
