package io.metaroce.engine;

import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Transmit;

/**
 * Sees what an endpoint sends and receives, as it stands in its datagrams: before faults are injected on the way out,
 * before anything is checked on the way in. What is lent must not be changed or kept. Endpoint thread.
 */
public interface PacketTap {
    /** A packet leaves. */
    default void sent(long nowNs, Transmit packet) {}

    /** A datagram has arrived, and the endpoint is about to read it. */
    default void received(long nowNs, Datagram datagram) {}

    /** The endpoint has done what it could for now: it may be looked at, and nothing else. */
    default void settled(long nowNs, Endpoint endpoint) {}

    /** Lets two see the same. */
    static PacketTap both(PacketTap first, PacketTap second) {
        return new PacketTap() {
            @Override
            public void sent(long nowNs, Transmit packet) {
                first.sent(nowNs, packet);
                second.sent(nowNs, packet);
            }

            @Override
            public void received(long nowNs, Datagram datagram) {
                first.received(nowNs, datagram);
                second.received(nowNs, datagram);
            }

            @Override
            public void settled(long nowNs, Endpoint endpoint) {
                first.settled(nowNs, endpoint);
                second.settled(nowNs, endpoint);
            }
        };
    }
}
