package io.metaroce.tools.perf;

import java.nio.ByteBuffer;

/**
 * What the server says about a test, as a control message.
 *
 * @param messages messages received
 * @param verifiedBytes bytes compared and found right
 * @param wrongMessages messages that were not what was sent
 * @param duplicates packets received again
 * @param droppedPackets packets dropped for any reason
 */
public record Report(long messages, long verifiedBytes, long wrongMessages, long duplicates, long droppedPackets) {
    /** Bytes of a report. */
    static final int BYTES = 5 * Long.BYTES;

    void write(ByteBuffer out) {
        out.putLong(messages)
                .putLong(verifiedBytes)
                .putLong(wrongMessages)
                .putLong(duplicates)
                .putLong(droppedPackets);
    }

    static Report read(ByteBuffer in) {
        return new Report(in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
    }

    Report since(Report before) {
        return new Report(
                messages - before.messages,
                verifiedBytes - before.verifiedBytes,
                wrongMessages - before.wrongMessages,
                duplicates - before.duplicates,
                droppedPackets - before.droppedPackets);
    }
}
