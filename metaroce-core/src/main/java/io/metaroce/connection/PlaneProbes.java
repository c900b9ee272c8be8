package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Entropy;
import java.util.List;

/** Challenges that ask whether a plane reaches the peer: one under way per plane, each on another source port. */
final class PlaneProbes {
    /** An echo of something else. */
    static final int NONE = -1;

    private final PathSet paths;
    private final List<Address> planes;
    private final int sourcePorts;
    private final Entropy entropy;
    private final long[] challenge;
    private int wanted;
    private int open; // under way

    PlaneProbes(PathSet paths, List<Address> planes, int sourcePorts, Entropy entropy) {
        this.paths = paths;
        this.planes = planes;
        this.sourcePorts = sourcePorts;
        this.entropy = entropy;
        this.challenge = new long[planes.size()];
    }

    /** Asks for a challenge of a plane; one still under way is forgotten. */
    void want(int plane) {
        wanted |= 1 << plane;
    }

    boolean isWanted() {
        return wanted != 0;
    }

    /** Writes the next challenge for a plane that has room; false when there is none. */
    boolean write(long nowNs, int planesWithRoom, SlotSender sender, Transmit out) {
        int ready = wanted & planesWithRoom;
        if (ready == 0) {
            return false;
        }
        int plane = Integer.numberOfTrailingZeros(ready);
        wanted &= ~(1 << plane);
        open |= 1 << plane;
        challenge[plane] = entropy.nextLong();
        Route route = new Route(plane, entropy.nextInt(sourcePorts), planes.get(plane));
        sender.challenge(nowNs, paths.outbound(plane % paths.count()), route, challenge[plane], out);
        return true;
    }

    /** The plane whose challenge is echoed, or {@link #NONE}. */
    int onEcho(long value) {
        for (int k = 0; k < challenge.length; k++) {
            if (((open >>> k) & 1) != 0 && challenge[k] == value) {
                open &= ~(1 << k);
                return k;
            }
        }
        return NONE;
    }
}
