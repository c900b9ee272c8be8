package io.metaroce.message;

import io.metaroce.num.Bits;

/** What both sides agreed on for the streams of a connection, and where its life stands. */
final class StreamTerms {
    /** What this side accepts. */
    final StreamLimits own;

    private @Bits(14) int payloadBytes; // of the longest packets of the peer
    private @Bits(14) int cutBytes; // what messages begun from now on are cut into
    private @Bits(14) int passBytes; // of the longest packets that pass
    private boolean isHeld;
    private long peerMessageBytesMax = 1L << 31;
    private boolean isStarted;
    private boolean isStopped;
    private boolean isEnded;
    private int connectionId;

    StreamTerms(StreamLimits own, int payloadBytes) {
        this.own = own;
        payloadBytes(payloadBytes);
    }

    /** What both sides have agreed on: the peer sends no packet with more payload. */
    int payloadBytes() {
        return payloadBytes;
    }

    void payloadBytes(int bytes) {
        payloadBytes = bytes;
        cutBytes = bytes;
        passBytes = bytes;
    }

    /** Payload of the packets that a message begun now is cut into. */
    int cutBytes() {
        return cutBytes;
    }

    /** Whether a message that does not fit one packet, as it would be cut now, has to wait. */
    boolean holds(long lengthBytes) {
        // R-PATH-027: nobody knows yet how much a packet may carry.
        return isHeld && lengthBytes > cutBytes;
    }

    /** The most a message of one packet can have, now or when it need not wait any longer. */
    int packetBytesMax() {
        return isHeld ? payloadBytes : cutBytes;
    }

    void cut(int bytes, boolean held) {
        cutBytes = bytes;
        isHeld = held;
        passBytes = Math.max(passBytes, bytes);
    }

    /** Whether a packet with so much payload passes no route any more. */
    boolean isTooLong(int bytes) {
        return bytes > passBytes;
    }

    void passAtMost(int bytes) {
        passBytes = bytes;
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
