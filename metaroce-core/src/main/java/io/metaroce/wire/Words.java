package io.metaroce.wire;

/** Fields of 32 bits that stand side by side are written in one step. */
final class Words {
    private Words() {}

    /** The 64 bits that read {@code first}, then {@code second}. */
    static long join(int first, int second) {
        return ((long) first << 32) | Integer.toUnsignedLong(second);
    }
}
