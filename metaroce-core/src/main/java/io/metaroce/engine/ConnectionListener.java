package io.metaroce.engine;

import io.metaroce.param.CloseReason;

/** What happens to connections. Called on the endpoint's thread; implementations hand over to their own threads. */
public interface ConnectionListener {
    /**
     * A peer asks for a connection; answer with {@link Endpoint#accept} or {@link Endpoint#reject}, now or later.
     *
     * @param connectionId local id of the connection to be
     */
    default void offered(long nowNs, int connectionId, Offer offer) {}

    /** The connection stands; {@code privateData} is what the peer said along with its answer (initiator), or empty. */
    default void established(long nowNs, int connectionId, byte[] privateData) {}

    /**
     * The connection is gone or never came to be. Every work request posted on it has been completed before.
     *
     * @param detail one sentence with the numbers that matter
     * @param privateData what the peer said along with a rejection, or empty
     */
    default void closed(long nowNs, int connectionId, CloseReason reason, String detail, byte[] privateData) {}

    /** A path has a route of its own again, or has lost it: it borrows one, or stands still. */
    default void pathMoved(long nowNs, int connectionId, int path, boolean isOwn) {}

    /** A stream of the connection failed; its queue pair is in error. */
    default void streamFailed(long nowNs, int connectionId, int streamId, String detail) {}
}
