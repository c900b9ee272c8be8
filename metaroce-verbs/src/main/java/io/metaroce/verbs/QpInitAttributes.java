package io.metaroce.verbs;

import io.metaroce.queue.Signalling;

/**
 * How a queue pair is to be made. Begin with {@link #of} and change what you need.
 *
 * @param sendQueue where the results of sends go
 * @param receiveQueue where the results of receives go; may be the same
 * @param sendDepth send work requests under way at once
 * @param receiveDepth receives posted at once
 * @param sendSgeMax pieces of one send work request
 * @param receiveSgeMax pieces of one receive
 * @param inlineBytesMax payload that may be copied at post time
 * @param signalling which sends make a completion
 */
public record QpInitAttributes(
        CompletionQueue sendQueue,
        CompletionQueue receiveQueue,
        int sendDepth,
        int receiveDepth,
        int sendSgeMax,
        int receiveSgeMax,
        int inlineBytesMax,
        Signalling signalling) {

    /** Refuses what no device can have. */
    public QpInitAttributes {
        atLeast(1, sendDepth, "sendDepth");
        atLeast(1, receiveDepth, "receiveDepth");
        atLeast(1, sendSgeMax, "sendSgeMax");
        atLeast(1, receiveSgeMax, "receiveSgeMax");
        atLeast(0, inlineBytesMax, "inlineBytesMax");
    }

    private static void atLeast(int low, int value, String option) {
        if (value < low) {
            throw new VerbsException(
                    "QpInitAttributes", option + " = " + value, "at least " + low + " is needed", "change " + option);
        }
    }

    /**
     * Sends and receives report to one completion queue; 128 deep, 4 pieces, 220 bytes inline, selective signalling.
     */
    public static QpInitAttributes of(CompletionQueue queue) {
        return new QpInitAttributes(queue, queue, 128, 128, 4, 4, 220, Signalling.FLAGGED);
    }

    /** The same with another completion queue for receives. */
    public QpInitAttributes withReceiveQueue(CompletionQueue queue) {
        return new QpInitAttributes(
                sendQueue, queue, sendDepth, receiveDepth, sendSgeMax, receiveSgeMax, inlineBytesMax, signalling);
    }

    /** The same with another depth of the send queue. */
    public QpInitAttributes withSendDepth(int requests) {
        return new QpInitAttributes(
                sendQueue, receiveQueue, requests, receiveDepth, sendSgeMax, receiveSgeMax, inlineBytesMax, signalling);
    }

    /** The same with another depth of the receive queue. */
    public QpInitAttributes withReceiveDepth(int requests) {
        return new QpInitAttributes(
                sendQueue, receiveQueue, sendDepth, requests, sendSgeMax, receiveSgeMax, inlineBytesMax, signalling);
    }

    /** The same with another limit of pieces, for sends and for receives. */
    public QpInitAttributes withSgeMax(int pieces) {
        return new QpInitAttributes(
                sendQueue, receiveQueue, sendDepth, receiveDepth, pieces, pieces, inlineBytesMax, signalling);
    }

    /** The same with another limit of inline bytes. */
    public QpInitAttributes withInlineBytesMax(int bytes) {
        return new QpInitAttributes(
                sendQueue, receiveQueue, sendDepth, receiveDepth, sendSgeMax, receiveSgeMax, bytes, signalling);
    }

    /** The same with a completion for every send. */
    public QpInitAttributes withSignalAll() {
        return new QpInitAttributes(
                sendQueue,
                receiveQueue,
                sendDepth,
                receiveDepth,
                sendSgeMax,
                receiveSgeMax,
                inlineBytesMax,
                Signalling.ALL);
    }
}
