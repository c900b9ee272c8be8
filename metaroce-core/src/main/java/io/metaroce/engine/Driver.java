package io.metaroce.engine;

import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Transmit;

/**
 * The one loop: feed what has arrived, then let the engine do what is due and send what may be sent. UDP and simulator
 * run this class. Thread rule: the endpoint's thread.
 */
public final class Driver {
    private final Endpoint endpoint;
    private final TransmitPort port;
    private final Transmit transmit = new Transmit();
    private final long pauseNs;
    private long askedNs = Endpoint.NEVER; // when to be called again at the latest

    /** A driver of {@code endpoint} that sends through {@code port}. */
    public Driver(Endpoint endpoint, TransmitPort port) {
        this.endpoint = endpoint;
        this.port = port;
        this.pauseNs = endpoint.pauseNs();
    }

    /** Feeds one datagram; call {@link #quiesce} after the last one of a batch. */
    public void feed(long nowNs, Datagram datagram) {
        notePause(nowNs);
        endpoint.onDatagram(nowNs, datagram);
    }

    /** Every receive queue has been emptied since the last call; before {@link #quiesce}. */
    public void passEnd() {
        endpoint.onPassEnd();
    }

    /**
     * Runs due deadlines, drains rung rings, sends what may be sent.
     *
     * @return when to call again at the latest, in ns; when the port ran out of room, call again as soon as it has some
     */
    public long quiesce(long nowNs) {
        notePause(nowNs);
        if (nowNs >= endpoint.deadlineNs()) {
            endpoint.onDeadline(nowNs);
        }
        endpoint.onDoorbell(nowNs);
        int planes = port.planesWithRoom();
        while (planes != 0 && endpoint.pollTransmit(nowNs, planes, transmit)) {
            port.send(transmit);
            planes = port.planesWithRoom();
        }
        port.flush();
        askedNs = endpoint.deadlineNs();
        return askedNs;
    }

    private void notePause(long nowNs) {
        // R-HEALTH-003: whoever stood still himself declares nobody failed for it.
        if (nowNs - askedNs > pauseNs) {
            endpoint.onPaused(nowNs);
        }
        askedNs = Endpoint.NEVER;
    }
}
