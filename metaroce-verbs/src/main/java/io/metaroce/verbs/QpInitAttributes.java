package io.metaroce.verbs;

import io.metaroce.engine.StreamBinding;
import io.metaroce.queue.Signalling;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

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
 * @param rnrRetries how often a message that finds no receive at the peer is tried again, 0..6; 7: for ever, and
 *     nothing is tried before the peer has told of a receive
 * @param rnrDelay how long a peer whose message finds no receive here is told to wait
 * @param sharedReceiveQueue where receives come from, or null: from a queue of its own
 * @param deadNs how long a peer that owes an answer may be silent; 0 as set for the endpoint; see {@link #withTimeout}
 */
public record QpInitAttributes(
        CompletionQueue sendQueue,
        CompletionQueue receiveQueue,
        int sendDepth,
        int receiveDepth,
        int sendSgeMax,
        int receiveSgeMax,
        int inlineBytesMax,
        Signalling signalling,
        int rnrRetries,
        Duration rnrDelay,
        @Nullable SharedReceiveQueue sharedReceiveQueue,
        long deadNs) {
    private static final long TIMEOUT_UNIT_NS = 4_096;
    private static final int TIMEOUT_MAX = 31;
    private static final int RETRY_COUNT_MAX = 7;
    private static final Duration RNR_DELAY = Duration.ofMillis(1);
    private static final Duration RNR_DELAY_MAX = Duration.ofNanos(655_350_000);

    /** Refuses what no device can have. */
    public QpInitAttributes {
        atLeast(1, sendDepth, "sendDepth");
        atLeast(1, receiveDepth, "receiveDepth");
        atLeast(1, sendSgeMax, "sendSgeMax");
        atLeast(1, receiveSgeMax, "receiveSgeMax");
        atLeast(0, inlineBytesMax, "inlineBytesMax");
        if (deadNs < 0) {
            throw new VerbsException("QpInitAttributes", "deadNs = " + deadNs, "at least 0 is needed", "change deadNs");
        }
        if (rnrRetries < 0 || rnrRetries > StreamBinding.FOR_EVER) {
            throw new VerbsException(
                    "QpInitAttributes", "rnrRetries = " + rnrRetries, "0 to 6, or 7 for ever", "change rnrRetries");
        }
        if (rnrDelay.isNegative() || rnrDelay.compareTo(RNR_DELAY_MAX) > 0) {
            throw new VerbsException(
                    "QpInitAttributes", "rnrDelay = " + rnrDelay, "0 to " + RNR_DELAY_MAX, "change rnrDelay");
        }
    }

    private static void atLeast(int low, int value, String option) {
        if (value < low) {
            throw new VerbsException(
                    "QpInitAttributes", option + " = " + value, "at least " + low + " is needed", "change " + option);
        }
    }

    /**
     * Sends and receives report to one completion queue; 128 deep, 4 pieces, 220 bytes inline, selective signalling; a
     * message waits for a receive for ever.
     */
    public static QpInitAttributes of(CompletionQueue queue) {
        return new QpInitAttributes(
                queue,
                queue,
                128,
                128,
                4,
                4,
                220,
                Signalling.FLAGGED,
                StreamBinding.FOR_EVER,
                RNR_DELAY,
                null,
                StreamBinding.AS_SET);
    }

    /** The same with another completion queue for receives. */
    public QpInitAttributes withReceiveQueue(CompletionQueue queue) {
        return new QpInitAttributes(
                sendQueue,
                queue,
                sendDepth,
                receiveDepth,
                sendSgeMax,
                receiveSgeMax,
                inlineBytesMax,
                signalling,
                rnrRetries,
                rnrDelay,
                sharedReceiveQueue,
                deadNs);
    }

    /** The same with another depth of the send queue. */
    public QpInitAttributes withSendDepth(int requests) {
        return new QpInitAttributes(
                sendQueue,
                receiveQueue,
                requests,
                receiveDepth,
                sendSgeMax,
                receiveSgeMax,
                inlineBytesMax,
                signalling,
                rnrRetries,
                rnrDelay,
                sharedReceiveQueue,
                deadNs);
    }

    /** The same with another depth of the receive queue. */
    public QpInitAttributes withReceiveDepth(int requests) {
        return new QpInitAttributes(
                sendQueue,
                receiveQueue,
                sendDepth,
                requests,
                sendSgeMax,
                receiveSgeMax,
                inlineBytesMax,
                signalling,
                rnrRetries,
                rnrDelay,
                sharedReceiveQueue,
                deadNs);
    }

    /** The same with another limit of pieces, for sends and for receives. */
    public QpInitAttributes withSgeMax(int pieces) {
        return new QpInitAttributes(
                sendQueue,
                receiveQueue,
                sendDepth,
                receiveDepth,
                pieces,
                pieces,
                inlineBytesMax,
                signalling,
                rnrRetries,
                rnrDelay,
                sharedReceiveQueue,
                deadNs);
    }

    /** The same with another limit of inline bytes. */
    public QpInitAttributes withInlineBytesMax(int bytes) {
        return new QpInitAttributes(
                sendQueue,
                receiveQueue,
                sendDepth,
                receiveDepth,
                sendSgeMax,
                receiveSgeMax,
                bytes,
                signalling,
                rnrRetries,
                rnrDelay,
                sharedReceiveQueue,
                deadNs);
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
                Signalling.ALL,
                rnrRetries,
                rnrDelay,
                sharedReceiveQueue,
                deadNs);
    }

    /** The same with another number of retries for a message that finds no receive: 0..6, or 7 for ever. */
    public QpInitAttributes withRnrRetries(int retries) {
        return new QpInitAttributes(
                sendQueue,
                receiveQueue,
                sendDepth,
                receiveDepth,
                sendSgeMax,
                receiveSgeMax,
                inlineBytesMax,
                signalling,
                retries,
                rnrDelay,
                sharedReceiveQueue,
                deadNs);
    }

    /** The same with another time that a peer without a receive here is told to wait; at most 655.35 ms. */
    public QpInitAttributes withRnrDelay(Duration delay) {
        return new QpInitAttributes(
                sendQueue,
                receiveQueue,
                sendDepth,
                receiveDepth,
                sendSgeMax,
                receiveSgeMax,
                inlineBytesMax,
                signalling,
                rnrRetries,
                delay,
                sharedReceiveQueue,
                deadNs);
    }

    /** The same with receives from a shared queue; none can be posted to the queue pair itself. */
    public QpInitAttributes withSharedReceiveQueue(SharedReceiveQueue queue) {
        return new QpInitAttributes(
                sendQueue,
                receiveQueue,
                sendDepth,
                receiveDepth,
                sendSgeMax,
                receiveSgeMax,
                inlineBytesMax,
                signalling,
                rnrRetries,
                rnrDelay,
                queue,
                deadNs);
    }

    /**
     * The same with the dead time of the verbs attributes: 4.096 µs · 2^timeout · (retryCount + 1), raised to eight
     * probe timeouts where it is shorter. Of the queue pairs of a connection the shortest counts.
     *
     * @param timeout 1..31, or 0 to wait for ever
     * @param retryCount 0..7
     */
    public QpInitAttributes withTimeout(int timeout, int retryCount) {
        within(TIMEOUT_MAX, timeout, "timeout");
        within(RETRY_COUNT_MAX, retryCount, "retryCount");
        return new QpInitAttributes(
                sendQueue,
                receiveQueue,
                sendDepth,
                receiveDepth,
                sendSgeMax,
                receiveSgeMax,
                inlineBytesMax,
                signalling,
                rnrRetries,
                rnrDelay,
                sharedReceiveQueue,
                timeout == 0 ? StreamBinding.NEVER : (TIMEOUT_UNIT_NS << timeout) * (retryCount + 1));
    }

    private static void within(int high, int value, String option) {
        if (value < 0 || value > high) {
            throw new VerbsException(
                    "QpInitAttributes", option + " = " + value, "0 to " + high + " is allowed", "change " + option);
        }
    }
}
