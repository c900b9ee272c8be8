package io.metaroce.message;

import io.metaroce.num.Bits;

/**
 * Where the requester stands in one stream: the message it is cutting, those it has to begin again, the one it cannot
 * pass.
 */
final class SendCursor {
    /** The message that cannot be sent, and why. */
    final Fault stop = new Fault();

    private boolean isCutting;
    private @Bits(32) int msn;
    private int opcode;
    private @Bits(14) char cutBytes;
    private @Bits(20) int refused;
    private @Bits(20) int unanswered;
    private @Bits(17) int ordered;
    private long wanted;
    private boolean isHeldByPeer;

    /** Whether a message has been begun and not been cut to its end. */
    boolean isCutting() {
        return isCutting;
    }

    /** The message being cut. */
    int msn() {
        return msn;
    }

    /** Whether {@code msn} is the message being cut. */
    boolean isCutting(int msn) {
        return isCutting && this.msn == msn;
    }

    /** Opcode of the packets of the message being cut. */
    int opcode() {
        return opcode;
    }

    /** Payload of the packets that the message being cut is cut into. */
    int cutBytes() {
        return cutBytes;
    }

    void begin(int msn, int opcode, int cutBytes) {
        isCutting = true;
        this.msn = msn;
        this.opcode = opcode;
        this.cutBytes = (char) cutBytes;
    }

    void end() {
        isCutting = false;
    }

    /** Refused messages that wait for their next attempt. */
    int refused() {
        return refused;
    }

    void addRefused(int n) {
        refused += n;
    }

    /** Reads and atomics that have left and not been answered in full. */
    int unanswered() {
        return unanswered;
    }

    void addUnanswered(int n) {
        unanswered += n;
    }

    /** Ordered Writes that have left and that the peer may still keep. */
    int ordered() {
        return ordered;
    }

    void addOrdered(int n) {
        ordered += n;
    }

    /** Bytes of Reads that have not come. */
    long wanted() {
        return wanted;
    }

    void addWanted(long bytes) {
        wanted += bytes;
    }

    /** Whether the next message waits for a receive, or for the peer to open the stream. */
    boolean isHeldByPeer() {
        return isHeldByPeer;
    }

    void holdByPeer() {
        isHeldByPeer = true;
    }

    void releaseByPeer() {
        isHeldByPeer = false;
    }

    void reset() {
        isHeldByPeer = false;
        isCutting = false;
        refused = 0;
    }
}
