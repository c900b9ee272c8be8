package io.metaroce.sim;

import io.metaroce.num.SplitMix64;

/**
 * The root seed and the independent streams that grow from it, one per (component, purpose). A new feature takes a new
 * name and thereby cannot shift the draws of an old one.
 */
public final class SeedTree {
    private final long seed;
    private final SplitMix64 root;

    /** The tree of one root seed. */
    public SeedTree(long seed) {
        this.seed = seed;
        this.root = new SplitMix64(seed);
    }

    /** The root seed. */
    public long seed() {
        return seed;
    }

    /** The stream of one purpose and one component; asking twice gives two streams that draw the same numbers. */
    public SplitMix64 stream(String purpose, long component) {
        return root.split(purpose, component);
    }
}
