package io.metaroce.message;

import io.metaroce.num.Bits;

/** What both sides agreed on for the streams of a connection, and where its life stands. */
final class StreamTerms {
    /** What this side accepts. */
    final StreamLimits own;

    private @Bits(14) int payloadBytes;
    private long peerMessageBytesMax = 1L << 31;
    private boolean isStarted;
    private boolean isStopped;
    private boolean isEnded;
    private int connectionId;

    StreamTerms(StreamLimits own, int payloadBytes) {
        this.own = own;
        this.payloadBytes = payloadBytes;
    }

    int payloadBytes() {
        return payloadBytes;
    }

    void payloadBytes(int bytes) {
        payloadBytes = bytes;
    }

    /** The longest message the peer accepts, in bytes. */
    long peerMessageBytesMax() {
        return peerMessageBytesMax;
    }

    void peerMessageBytesMax(long bytes) {
        peerMessageBytesMax = Math.min(bytes, 1L << 31);
    }

    /** Whether the connection stands, so that packets may be sent. */
    boolean isStarted() {
        return isStarted;
    }

    void start() {
        isStarted = true;
    }

    /** Whether work requests posted from now on are flushed. */
    boolean isStopped() {
        return isStopped;
    }

    void stop() {
        isStopped = true;
    }

    /** Whether the connection is gone. */
    boolean isEnded() {
        return isEnded;
    }

    void end() {
        isEnded = true;
        isStopped = true;
    }

    /** The id that events carry. */
    int connectionId() {
        return connectionId;
    }

    void connectionId(int id) {
        connectionId = id;
    }
}
