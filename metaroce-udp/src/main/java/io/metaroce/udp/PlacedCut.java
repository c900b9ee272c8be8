package io.metaroce.udp;

import io.metaroce.datagram.Route;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.datagram.Transmit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A cut in force, with what it has seen. Made by any thread, used on the event loop only. */
final class PlacedCut {
    // Where the base header has path and connection.
    static final int PATH_ID_AT = 2;
    static final int DST_CONN_ID_AT = 4;

    private record Way(int plane, int entropy) {}

    private final Cut cut;
    private final long fromNs;
    private final Map<Integer, Way> waysOfConnections = new HashMap<>();
    private final Set<Way> deadWays = new HashSet<>();
    private long packets;
    private long begunNs = -1;

    PlacedCut(Cut cut, long placedNs) {
        this.cut = cut;
        this.fromNs = placedNs + cut.afterNs();
    }

    /** Whether the packet is lost to the cut. */
    boolean swallows(long nowNs, Transmit packet) {
        if (!concerns(packet)) {
            return false;
        }
        packets++;
        if (nowNs < fromNs || packets <= cut.afterPackets()) {
            return false;
        }
        if (begunNs < 0) {
            begunNs = nowNs;
        }
        if (nowNs - begunNs >= cut.lastingNs()) {
            return false;
        }
        return cut.what() != Cut.What.PATH || isOnDeadWay(packet);
    }

    private boolean concerns(Transmit packet) {
        Route route = packet.route();
        boolean isData = packet.trafficClass() == TrafficClass.DATA;
        return switch (cut.what()) {
            case ENTROPY -> isData && route.entropy() == cut.number();
            case PLANE -> route.plane() == cut.number();
            case PATH -> isData;
        };
    }

    private boolean isOnDeadWay(Transmit packet) {
        Way way = new Way(packet.route().plane(), packet.route().entropy());
        if (packet.headerLength() > DST_CONN_ID_AT + Integer.BYTES
                && (packet.header().get(PATH_ID_AT) & 0xFF) == cut.number()) {
            int connection = packet.header().getInt(DST_CONN_ID_AT);
            if (waysOfConnections.putIfAbsent(connection, way) == null) {
                deadWays.add(way);
            }
        }
        return deadWays.contains(way);
    }
}
