package io.metaroce.connection;

import io.metaroce.param.StreamError;
import org.jspecify.annotations.Nullable;

/** What streams may ask of the connection that carries them. */
public interface ConnectionPort {
    /** There may be data to send now: look again. */
    void sendWanted();

    /** There is news that should travel soon, in the next report or in one of its own. */
    void reportWanted();

    /** Asks the peer about a stream whose messages seem delivered but not complete. */
    void queryStream(long nowNs, int streamId);

    /** Refuses a message at once; the sticky refusal in the stream's updates is the slow copy. */
    void refuse(long nowNs, Refusal refusal);

    /** The peer broke the protocol: the connection must end. */
    void protocolError(long nowNs, StreamError error);

    /** What Reads tell and ask; null unless the connection stands. */
    @Nullable
    Reads reads();

    /** The largest probe timeout of the paths in use, in ns. */
    long probeTimeoutNs();

    /** What Reads tell the receiving half of the connection, and ask of it. */
    interface Reads {
        /** So many bytes in all have been asked of the peer, or will be, and have not come. */
        void outstanding(long nowNs, long bytes);

        /** The share of inbound bandwidth that the answer may use, in the code of the wire. */
        int hint(long nowNs);

        /** Number of the last report to the peer: a hint given now is as new as that. */
        int lastReport();
    }

    /**
     * A message that is refused.
     *
     * @param error why
     * @param streamId stream of the message
     * @param msn its number
     * @param attempt the attempt that is refused, 0..7
     * @param rsnLimit receives posted so far on the stream
     * @param slotPath path of the packet that is the cause
     * @param slotPsn PSN of that packet
     * @param retryDelayNs when to try again without further notice
     */
    record Refusal(
            StreamError error,
            int streamId,
            int msn,
            int attempt,
            int rsnLimit,
            int slotPath,
            int slotPsn,
            long retryDelayNs) {}
}
