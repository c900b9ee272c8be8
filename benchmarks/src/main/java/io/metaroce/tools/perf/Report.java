package io.metaroce.tools.perf;

import java.nio.ByteBuffer;

/**
 * What one side says about a test, as a control message.
 *
 * @param messages messages received
 * @param verifiedBytes bytes compared and found right
 * @param wrongMessages messages that were not what was sent
 * @param duplicates packets received again
 * @param droppedPackets packets dropped for any reason
 * @param sentMessages with {@code -b}, messages it has sent itself
 * @param sentNs with {@code -b}, how long that took, in ns; negative while it goes on
 */
public record Report(
        long messages,
        long verifiedBytes,
        long wrongMessages,
        long duplicates,
        long droppedPackets,
        long sentMessages,
        long sentNs) {
    /** Nothing to say. */
    static final Report NOTHING = new Report(0, 0, 0, 0, 0, 0, 0);

    void write(ByteBuffer out) {
        out.putLong(messages)
                .putLong(verifiedBytes)
                .putLong(wrongMessages)
                .putLong(duplicates)
                .putLong(droppedPackets)
                .putLong(sentMessages)
                .putLong(sentNs);
    }

    static Report read(ByteBuffer in) {
        return new Report(
                in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
    }

    /** What is new since {@code before}; of what it sends itself, all. */
    Report since(Report before) {
        return new Report(
                messages - before.messages,
                verifiedBytes - before.verifiedBytes,
                wrongMessages - before.wrongMessages,
                duplicates - before.duplicates,
                droppedPackets - before.droppedPackets,
                sentMessages,
                sentNs);
    }

    /** The same with what the other side has compared. */
    Report plus(long moreVerifiedBytes, long moreWrongMessages) {
        return new Report(
                messages,
                verifiedBytes + moreVerifiedBytes,
                wrongMessages + moreWrongMessages,
                duplicates,
                droppedPackets,
                sentMessages,
                sentNs);
    }

    boolean isSending() {
        return sentNs < 0;
    }
}
