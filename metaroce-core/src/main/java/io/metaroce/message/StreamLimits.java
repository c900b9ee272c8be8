package io.metaroce.message;

import io.metaroce.param.ConnectionLimits;

/**
 * What this side holds for the streams of one connection. Everything is allocated from these numbers.
 *
 * @param streams streams at once; ids are below it
 * @param openMessages messages begun by the peer and not complete, over all streams
 * @param messageBytesMax longest message accepted
 * @param requests Reads and atomics of the peer served at once, over all streams; no more of this side's are sent
 * @param rnr what to do about receives the peer has not posted, unless the stream is opened with another policy
 */
public record StreamLimits(int streams, int openMessages, long messageBytesMax, int requests, RnrPolicy rnr) {
    /** The widest window of shared receives that a stream promises. */
    public static final int SHARED_WINDOW_MAX = 256;

    /** The limits of a connection, waiting for receives. */
    public static StreamLimits of(ConnectionLimits limits) {
        return new StreamLimits(
                limits.streams(), limits.openMessages(), limits.messageBytesMax(), limits.reads(), RnrPolicy.WAIT);
    }
}
