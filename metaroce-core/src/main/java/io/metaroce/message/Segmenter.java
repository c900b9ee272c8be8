package io.metaroce.message;

/**
 * How a message is cut into fragments: all but the last carry the same payload, one of four sizes, at most what was
 * agreed. Lengths and offsets are unsigned 32-bit numbers; a message may have 2^31 bytes.
 */
final class Segmenter {
    private static final int SMALLEST_BYTES = 1024;

    private Segmenter() {}

    /** Payload of the fragment at {@code offset}; 0 at the end of the message. */
    static int fragmentLength(int messageLength, int offset, int payloadBytes) {
        // R-HDR-014: every fragment except the last carries the same payload.
        long left = Integer.toUnsignedLong(messageLength) - Integer.toUnsignedLong(offset);
        return (int) Math.min(left, payloadBytes);
    }

    /**
     * Whether a fragment that has arrived is one that {@link #fragmentLength} would have cut, into some size up to
     * {@code payloadBytesMax}. Each is looked at by itself.
     */
    static boolean isWellCut(int messageLength, int offset, int length, int payloadBytesMax) {
        // R-HDR-015: nothing reaches beyond the message.
        long end = Integer.toUnsignedLong(offset) + length;
        long total = Integer.toUnsignedLong(messageLength);
        if (end > total || length > payloadBytesMax) {
            return false;
        }
        if (length == 0) {
            return total == 0;
        }
        // The smallest size it can be of: a larger one has no other beginnings than this one has.
        int size = Math.max(SMALLEST_BYTES, Integer.highestOneBit(2 * length - 1));
        return (offset & (size - 1)) == 0 && (length == size || end == total);
    }
}
