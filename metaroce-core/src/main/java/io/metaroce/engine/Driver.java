package io.metaroce.engine;

import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Transmit;
import org.jspecify.annotations.Nullable;

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
    private @Nullable PacketTap tap; // null: nobody looks

    /** A driver of {@code endpoint} that sends through {@code port}. */
    public Driver(Endpoint endpoint, TransmitPort port) {
        this.endpoint = endpoint;
        this.port = port;
        this.pauseNs = endpoint.pauseNs();
    }

    /** Lets somebody see every packet from now on; null ends that. */
    public void tap(@Nullable PacketTap value) {
        tap = value;
    }

    /** Feeds one datagram; call {@link #quiesce} after the last one of a batch. */
    public void feed(long nowNs, Datagram datagram) {
        notePause(nowNs);
        if (tap != null) {
            tap.received(nowNs, datagram);
        }
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
            if (tap != null) {
                tap.sent(nowNs, transmit);
            }
            port.send(transmit);
            planes = port.planesWithRoom();
        }
        port.flush();
        if (tap != null) {
            tap.settled(nowNs, endpoint);
        }
        long deadlineNs = endpoint.deadlineNs();
        // What is overdue because it cannot leave is no pause: that begins now at the earliest.
        askedNs = Math.max(deadlineNs, nowNs);
        return deadlineNs;
    }

    private void notePause(long nowNs) {
        // R-HEALTH-003: whoever stood still himself declares nobody failed for it.
        if (nowNs - askedNs > pauseNs) {
            endpoint.onPaused(nowNs, nowNs - askedNs);
        }
        askedNs = Endpoint.NEVER;
    }
}
