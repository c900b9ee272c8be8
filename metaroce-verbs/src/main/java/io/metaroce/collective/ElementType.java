package io.metaroce.collective;

/** What an element is. All lie in memory with the least significant byte first. */
public enum ElementType {
    /** Whole numbers of 32 bits that wrap. */
    INT32(4),
    /** Whole numbers of 64 bits that wrap. */
    INT64(8),
    /** Floating-point numbers of 32 bits. */
    FLOAT32(4),
    /** Floating-point numbers of 64 bits. */
    FLOAT64(8);

    private final int bytes;

    ElementType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one. */
    public int bytes() {
        return bytes;
    }
}
