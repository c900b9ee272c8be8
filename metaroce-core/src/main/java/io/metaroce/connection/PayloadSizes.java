package io.metaroce.connection;

/** The sizes of payload there are, by index: each is twice the one before. */
final class PayloadSizes {
    /** No size. */
    static final int NONE = -1;
    /** Index of the smallest one, which needs no proof: the request of the handshake was longer. */
    static final int SMALLEST = 0;
    /** How many bits an index takes. */
    static final int INDEX_BITS = 2;

    private static final int SMALLEST_BYTES = 1024;

    private PayloadSizes() {}

    static int bytes(int index) {
        return SMALLEST_BYTES << index;
    }

    static int index(int bytes) {
        return Integer.numberOfTrailingZeros(bytes / SMALLEST_BYTES);
    }
}
