package io.metaroce.compliance.utp;

/** Payload that says where it belongs: block k of 8 bytes is SplitMix64(seed + k), little-endian. */
public final class Pattern {
    private Pattern() {}

    /** {@code length} bytes from position {@code at} on. */
    public static byte[] bytes(long seed, long at, int length) {
        byte[] out = new byte[length];
        for (int i = 0; i < length; i++) {
            out[i] = at(seed, at + i);
        }
        return out;
    }

    /** The byte at one position. */
    public static byte at(long seed, long position) {
        return (byte) (mix(seed + (position >>> 3)) >>> (8 * (position & 7)));
    }

    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
