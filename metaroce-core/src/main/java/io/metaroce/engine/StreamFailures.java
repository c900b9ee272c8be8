package io.metaroce.engine;

import io.metaroce.param.StreamError;
import io.metaroce.trace.TransportEvents;

/** Tells the listener of a connection that one of its streams has failed, and passes on what others want to hear. */
final class StreamFailures implements TransportEvents {
    private final TransportEvents events;
    private final ConnectionListener listener;

    StreamFailures(TransportEvents events, ConnectionListener listener) {
        this.events = events;
        this.listener = listener;
    }

    @Override
    public void payloadChanged(long nowNs, int connectionId, int payloadBytes) {
        events.payloadChanged(nowNs, connectionId, payloadBytes);
    }

    @Override
    public void refused(long nowNs, int connectionId, int stream, int msn) {
        events.refused(nowNs, connectionId, stream, msn);
    }

    @Override
    public void streamFailed(long nowNs, int connectionId, int stream, int code) {
        events.streamFailed(nowNs, connectionId, stream, code);
        listener.streamFailed(nowNs, connectionId, stream, StreamError.of(code).sentence());
    }
}
