package io.metaroce.engine;

import io.metaroce.message.RnrPolicy;
import io.metaroce.num.Deadline;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendRing;

/**
 * A queue pair to be bound to a stream.
 *
 * @param streamId the stream: 0, or even for the side that connects, odd for the side that listens
 * @param domain protection domain of the queue pair
 * @param sends its send queue
 * @param receives its receive queue
 * @param rnrRetries how often a message that found no receive is tried again, 0..6, or {@link #FOR_EVER}: then nothing
 *     leaves before a receive is known for it
 * @param rnrDelayNs what a peer whose message finds no receive here is told to wait, 0..655 350 000
 * @param deadNs how long a peer that owes an answer may be silent: {@link #AS_SET}, {@link #NEVER}, or a time, of which
 *     the shortest of a connection counts
 */
public record StreamBinding(
        int streamId, int domain, SendRing sends, ReceiveRing receives, int rnrRetries, long rnrDelayNs, long deadNs) {
    /** The dead time of the endpoint. */
    public static final long AS_SET = 0;
    /** No dead time: silence is waited out. */
    public static final long NEVER = Deadline.NEVER;
    /** Retries without end; the value of the verbs. */
    public static final int FOR_EVER = RnrPolicy.FOR_EVER;

    /** Checks the bounds. */
    public StreamBinding {
        RnrPolicy.of(rnrRetries, rnrDelayNs);
        if (deadNs < 0) {
            throw new IllegalArgumentException("deadNs = " + deadNs + " is negative");
        }
    }

    /** A queue pair with the dead time of the endpoint. */
    public StreamBinding(
            int streamId, int domain, SendRing sends, ReceiveRing receives, int rnrRetries, long rnrDelayNs) {
        this(streamId, domain, sends, receives, rnrRetries, rnrDelayNs, AS_SET);
    }

    /** The same with another dead time. */
    public StreamBinding withDeadNs(long ns) {
        return new StreamBinding(streamId, domain, sends, receives, rnrRetries, rnrDelayNs, ns);
    }

    /** A queue pair that waits for receives and never gives up. */
    public StreamBinding(int streamId, int domain, SendRing sends, ReceiveRing receives) {
        this(streamId, domain, sends, receives, FOR_EVER, RnrPolicy.WAIT.delayNs());
    }

    RnrPolicy rnr() {
        return RnrPolicy.of(rnrRetries, rnrDelayNs);
    }
}
