package io.metaroce.message;

import io.metaroce.num.Bits;

/** What the streams of a connection share in sending: messages open at the peer, bytes that wait. */
final class SendBudget {
    private @Bits(17) int openMax;
    private @Bits(17) int open;
    private long queuedBytes;
    private boolean isWaitedFor;

    /** How many messages the peer lets be open; strictly fewer are, unless it is one. */
    void limit(int openMessagesMax) {
        // R-ORD-007: the sum of open messages stays below what the peer said.
        openMax = Math.max(openMessagesMax - 1, 1);
    }

    /** Whether one more message may be opened; if not, somebody waits for it. */
    boolean allowsOpening() {
        isWaitedFor |= open >= openMax;
        return open < openMax;
    }

    /** A message has been opened. */
    void opened() {
        open++;
    }

    /**
     * Messages have been completed or given up.
     *
     * @return whether a stream waits for that
     */
    boolean closed(int messages) {
        open -= messages;
        boolean wake = isWaitedFor && messages > 0;
        if (wake) {
            isWaitedFor = false;
        }
        return wake;
    }

    /** Bytes of accepted work requests that have not been sent. */
    long queuedBytes() {
        return queuedBytes;
    }

    /** Bytes have been accepted (positive) or have left (negative). */
    void addQueued(long bytes) {
        queuedBytes += bytes;
    }
}
