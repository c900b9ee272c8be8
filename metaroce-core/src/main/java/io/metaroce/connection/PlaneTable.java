package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.param.PlaneConfig;
import io.metaroce.rate.FairShare;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which planes of an endpoint work: its own ports, and, peer by peer, what all connections to it have found out
 * together. One per endpoint.
 */
public final class PlaneTable {
    private static final int PEERS_TO_BLAME_PLANE = 2;

    private final PlaneConfig config;
    private final FairShare fairShare;
    private final long inboundBytesPerSecond;
    private final int all;
    private final List<PeerPlanes> peers = new ArrayList<>(); // at most one per connection
    private long changes;
    private int carrier;

    /**
     * A table in which every plane is up.
     *
     * @param planes planes of the endpoint
     * @param fairShare who shares out what the planes can take in
     * @param inboundBytesPerSecond what all planes together can take in
     */
    public PlaneTable(int planes, PlaneConfig config, FairShare fairShare, long inboundBytesPerSecond) {
        this.config = config;
        this.fairShare = fairShare;
        this.inboundBytesPerSecond = inboundBytesPerSecond;
        this.all = (1 << planes) - 1;
        this.carrier = all;
    }

    /** Bit k: the endpoint's own port on plane k works, so it can receive there. */
    public int carrier() {
        return carrier;
    }

    /** The endpoint's own port on a plane lost its carrier, or the operator took it down. */
    public void down(long nowNs, int plane) {
        carrier(nowNs, carrier & ~bit(plane));
    }

    /** The endpoint's own port on a plane works again. */
    public void up(long nowNs, int plane) {
        carrier(nowNs, carrier | bit(plane));
    }

    /**
     * Grows with whatever moves the timers of connections that were not touched themselves: who asks for a lost plane.
     */
    public long changes() {
        return changes;
    }

    void touched() {
        changes++;
    }

    /** The entry of the peer whose plane 0 is at {@code address}; {@code watch} hears of every change from now on. */
    PeerPlanes join(Address address, PlaneWatch watch) {
        PeerPlanes peer = find(address);
        if (peer == null) {
            peer = new PeerPlanes(this, config, address);
            peers.add(peer);
        }
        peer.add(watch);
        return peer;
    }

    /** A connection is gone, and with the last one the entry of its peer. */
    void leave(PeerPlanes peer, PlaneWatch watch) {
        if (peer.remove(watch)) {
            peers.remove(peer);
        }
    }

    /**
     * A plane was found down towards one peer. A dead port of one peer concerns that peer alone; only when most of the
     * peers that have it and were used lately are lost on it is the plane down for all.
     */
    void onPeerLost(long nowNs, int plane, long sinceNs) {
        int used = 0;
        int lost = 0;
        for (int i = 0; i < peers.size(); i++) {
            PeerPlanes peer = peers.get(i);
            if (peer.has(plane) && peer.heardNs() >= sinceNs) {
                used++;
                lost += peer.isDown(plane) ? 1 : 0;
            }
        }
        // R-PLANE-005: a dead port of one peer leaves the paths of the others where they are.
        if (lost >= PEERS_TO_BLAME_PLANE && 3 * lost >= 2 * used) {
            for (int i = 0; i < peers.size(); i++) {
                lose(nowNs, peers.get(i), plane);
            }
        }
    }

    private static void lose(long nowNs, PeerPlanes peer, int plane) {
        // Nobody asks a peer for a plane that it never had.
        if (peer.has(plane)) {
            peer.down(nowNs, plane);
        }
    }

    private @Nullable PeerPlanes find(Address address) {
        for (int i = 0; i < peers.size(); i++) {
            if (peers.get(i).address().equals(address)) {
                return peers.get(i);
            }
        }
        return null;
    }

    private void carrier(long nowNs, int value) {
        if (value == carrier) {
            return;
        }
        int changed = value ^ carrier;
        carrier = value;
        // R-HINT-006: what a lost plane took in is no longer shared out.
        fairShare.inboundBytesPerSecond(
                Math.max(inboundBytesPerSecond * Integer.bitCount(value) / Integer.bitCount(all), 1));
        for (int i = 0; i < peers.size(); i++) {
            peers.get(i).carrierChanged(nowNs, changed);
        }
    }

    private int bit(int plane) {
        if (plane < 0 || (all >>> plane) == 0) {
            throw new IllegalArgumentException(
                    "plane " + plane + ": this endpoint has planes 0.." + (Integer.bitCount(all) - 1));
        }
        return 1 << plane;
    }
}
