package io.metaroce.udp;

import io.metaroce.trace.DropReason;
import io.metaroce.trace.TransportEvents;

/** Lets two listeners hear the engine. Endpoint thread. */
final class EventFan implements TransportEvents {
    private final TransportEvents first;
    private final TransportEvents second;

    private EventFan(TransportEvents first, TransportEvents second) {
        this.first = first;
        this.second = second;
    }

    static TransportEvents of(TransportEvents first, TransportEvents second) {
        if (first == NONE || second == NONE) {
            return first == NONE ? second : first;
        }
        return new EventFan(first, second);
    }

    @Override
    public void timedOut(long nowNs, int connectionId, int path) {
        first.timedOut(nowNs, connectionId, path);
        second.timedOut(nowNs, connectionId, path);
    }

    @Override
    public void refused(long nowNs, int connectionId, int stream, int msn) {
        first.refused(nowNs, connectionId, stream, msn);
        second.refused(nowNs, connectionId, stream, msn);
    }

    @Override
    public void slotLost(long nowNs, int connectionId, int path, int psn) {
        first.slotLost(nowNs, connectionId, path, psn);
        second.slotLost(nowNs, connectionId, path, psn);
    }

    @Override
    public void pathState(long nowNs, int connectionId, int path, int state) {
        first.pathState(nowNs, connectionId, path, state);
        second.pathState(nowNs, connectionId, path, state);
    }

    @Override
    public void pathRebound(long nowNs, int connectionId, int path, int epoch, int entropy) {
        first.pathRebound(nowNs, connectionId, path, epoch, entropy);
        second.pathRebound(nowNs, connectionId, path, epoch, entropy);
    }

    @Override
    public void payloadChanged(long nowNs, int connectionId, int payloadBytes) {
        first.payloadChanged(nowNs, connectionId, payloadBytes);
        second.payloadChanged(nowNs, connectionId, payloadBytes);
    }

    @Override
    public void hintChanged(long nowNs, int connectionId, long bytesPerSecond) {
        first.hintChanged(nowNs, connectionId, bytesPerSecond);
        second.hintChanged(nowNs, connectionId, bytesPerSecond);
    }

    @Override
    public void dropped(long nowNs, DropReason reason) {
        first.dropped(nowNs, reason);
        second.dropped(nowNs, reason);
    }

    @Override
    public void streamFailed(long nowNs, int connectionId, int stream, int code) {
        first.streamFailed(nowNs, connectionId, stream, code);
        second.streamFailed(nowNs, connectionId, stream, code);
    }

    @Override
    public void established(long nowNs, int connectionId) {
        first.established(nowNs, connectionId);
        second.established(nowNs, connectionId);
    }

    @Override
    public void closed(long nowNs, int connectionId, int reason) {
        first.closed(nowNs, connectionId, reason);
        second.closed(nowNs, connectionId, reason);
    }
}
