package io.metaroce.trace;

/**
 * What a listener may hear of the engine's life. Called on the endpoint's thread; must not call back into the engine.
 */
public interface TransportEvents {
    /** Hears nothing. */
    TransportEvents NONE = new TransportEvents() {};

    /** A slot was found lost, since a later packet of its path overtook it; it is sent again. */
    default void slotLost(long nowNs, int connectionId, int path, int psn) {}

    /** Nothing was heard of a path for long; its oldest slot is sent again. */
    default void timedOut(long nowNs, int connectionId, int path) {}

    /** The peer had no receive for a message, which is sent again later. */
    default void refused(long nowNs, int connectionId, int stream, int msn) {}

    /** A path entered a state ({@code PathState} ordinal). */
    default void pathState(long nowNs, int connectionId, int path, int state) {}

    /** A path took another route. */
    default void pathRebound(long nowNs, int connectionId, int path, int epoch, int entropy) {}

    /** Packets of a connection carry at most so much payload from now on, because of what its routes carry. */
    default void payloadChanged(long nowNs, int connectionId, int payloadBytes) {}

    /** The receiver granted another rate, in bytes per second; 0 is a pause. */
    default void hintChanged(long nowNs, int connectionId, long bytesPerSecond) {}

    /** A packet was dropped on arrival. */
    default void dropped(long nowNs, DropReason reason) {}

    /** A stream failed with a code of the error table. */
    default void streamFailed(long nowNs, int connectionId, int stream, int code) {}

    /** A connection was established. */
    default void established(long nowNs, int connectionId) {}

    /** A connection is gone. */
    default void closed(long nowNs, int connectionId, int reason) {}
}
