package io.metaroce.num;

/**
 * A seeded generator (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
 * Deterministic: equal seeds give equal sequences on every platform.
 */
public final class SplitMix64 implements Entropy {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;
    private final long seed;
    private long state;

    /** A generator whose whole future is {@code seed}. */
    public SplitMix64(long seed) {
        this.seed = seed;
        this.state = seed;
    }

    @Override
    public long nextLong() {
        state += GAMMA;
        return mix(state);
    }

    @Override
    public SplitMix64 split(String label, long id) {
        long h = seed;
        for (int i = 0; i < label.length(); i++) {
            h = mix(h * 31 + label.charAt(i) + GAMMA);
        }
        return new SplitMix64(mix(h ^ mix(id + GAMMA)));
    }

    /** The finaliser: a bijection on 64 bits that spreads every input bit over every output bit. */
    public static long mix(long z) {
        long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
        return b ^ (b >>> 31);
    }
}
