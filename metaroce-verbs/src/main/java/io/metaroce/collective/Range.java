package io.metaroce.collective;

/**
 * Some bytes of a buffer.
 *
 * @param buffer which
 * @param offset the first
 * @param bytes how many
 */
record Range(Buffer buffer, int offset, int bytes) {
    /** No bytes. */
    static final Range EMPTY = new Range(Buffer.SCRATCH, 0, 0);

    static Range data(int offset, int bytes) {
        return new Range(Buffer.DATA, offset, bytes);
    }

    static Range result(int offset, int bytes) {
        return new Range(Buffer.RESULT, offset, bytes);
    }

    static Range scratch(int offset, int bytes) {
        return new Range(Buffer.SCRATCH, offset, bytes);
    }

    /** The first byte behind it. */
    int end() {
        return offset + bytes;
    }
}
