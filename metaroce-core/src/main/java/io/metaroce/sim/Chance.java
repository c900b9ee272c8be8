package io.metaroce.sim;

import io.metaroce.num.SplitMix64;

/** Draws in parts per million. */
final class Chance {
    static final int PPM = 1_000_000;

    private Chance() {}

    /** 32 random bits as a uniform number in 0..999999. */
    static int ppm(int random32) {
        return (int) (((random32 & 0xFFFF_FFFFL) * PPM) >>> 32);
    }

    /** Whether something happens that has {@code chancePpm} to happen. Draws nothing when it cannot. */
    static boolean hits(SplitMix64 stream, int chancePpm) {
        return chancePpm > 0 && ppm((int) (stream.nextLong() >>> 32)) < chancePpm;
    }
}
