package io.metaroce.tools.perf;

import io.metaroce.num.SplitMix64;
import io.metaroce.verbs.MemoryRegion;
import java.nio.ByteBuffer;

/**
 * Bytes both sides know. Message {@code n} is a window on one long random text that begins 64 bytes later than that of
 * message {@code n - 1}, so a stale, shifted or swapped message never passes for the right one, and nothing has to be
 * generated while the clock runs.
 */
public final class Pattern {
    private static final int STEP = 64;
    private static final int PHASES = 64;
    private static final long SEED = 0x6D657461726F6365L;

    private Pattern() {}

    /** Length of the text for messages of up to {@code messageBytes}. */
    public static long textBytes(long messageBytes) {
        return messageBytes + STEP * PHASES;
    }

    /** Writes the text into a region. */
    public static void fill(MemoryRegion text) {
        SplitMix64 random = new SplitMix64(SEED);
        long at = 0;
        while (at < text.length()) {
            int chunk = (int) Math.min(text.length() - at, 1 << 20);
            ByteBuffer slice = text.slice(at, chunk);
            while (slice.remaining() >= Long.BYTES) {
                slice.putLong(random.nextLong());
            }
            while (slice.hasRemaining()) {
                slice.put((byte) random.nextLong());
            }
            at += chunk;
        }
    }

    /** Where message {@code n} begins in the text. */
    public static long offset(long n) {
        return (n % PHASES) * STEP;
    }

    /** Whether {@code length} bytes at {@code at} of {@code received} are message {@code n}. */
    public static boolean matches(MemoryRegion text, MemoryRegion received, long at, int length, long n) {
        if (length == 0) {
            return true;
        }
        return text.slice(offset(n), length).mismatch(received.slice(at, length)) < 0;
    }
}
