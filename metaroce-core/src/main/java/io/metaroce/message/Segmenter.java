package io.metaroce.message;

/**
 * How a message is cut into fragments: all but the last carry exactly the agreed payload. Lengths and offsets are
 * unsigned 32-bit numbers; a message may have 2^31 bytes.
 */
final class Segmenter {
    private Segmenter() {}

    /** Payload of the fragment at {@code offset}; 0 at the end of the message. */
    static int fragmentLength(int messageLength, int offset, int payloadBytes) {
        // R-HDR-014: every fragment except the last carries exactly the agreed payload.
        long left = Integer.toUnsignedLong(messageLength) - Integer.toUnsignedLong(offset);
        return (int) Math.min(left, payloadBytes);
    }

    /** Whether a fragment that has arrived is one that {@link #fragmentLength} would have cut. */
    static boolean isWellCut(int messageLength, int offset, int length, int payloadBytes) {
        // R-HDR-015: nothing reaches beyond the message.
        long end = Integer.toUnsignedLong(offset) + length;
        if (end > Integer.toUnsignedLong(messageLength) || (offset & (payloadBytes - 1)) != 0) {
            return false;
        }
        if (length == 0) {
            return messageLength == 0;
        }
        return length == fragmentLength(messageLength, offset, payloadBytes);
    }
}
