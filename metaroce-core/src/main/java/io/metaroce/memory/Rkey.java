package io.metaroce.memory;

/** A key: index of the region in its table, and a variant that is new at each registration. */
final class Rkey {
    /** Regions a key can tell apart. */
    static final int INDEX_MAX = 1 << 24;

    private Rkey() {}

    static int of(int index, int variant) {
        return (index << 8) | variant;
    }

    static int index(int key) {
        return key >>> 8;
    }

    /** The variant after this one: 1..255 in turn, never 0, so that no key is 0. */
    static int nextVariant(int variant) {
        return (variant % 255) + 1;
    }
}
