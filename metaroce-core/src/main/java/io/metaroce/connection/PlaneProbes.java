package io.metaroce.connection;

import io.metaroce.datagram.Route;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Entropy;
import org.jspecify.annotations.Nullable;

/** Challenges that ask whether a plane reaches the peer: one under way per plane, each on another source port. */
final class PlaneProbes {
    /** An echo of something else. */
    static final int NONE = -1;

    private static final long[] NOTHING_ASKED = new long[0];

    private final PathSet paths;
    private final Agreement agreement;
    private final Shared shared;
    private @Nullable Entropy entropy; // most connections never ask
    private long[] challenge = NOTHING_ASKED;
    private int wanted;
    private int open; // under way

    PlaneProbes(PathSet paths, Agreement agreement, Shared shared) {
        this.paths = paths;
        this.agreement = agreement;
        this.shared = shared;
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
        Entropy draws = begin();
        challenge[plane] = draws.nextLong();
        int port = draws.nextInt(shared.config().limits().sourcePorts());
        Route route = new Route(plane, port, agreement.planes().get(plane));
        sender.challenge(nowNs, paths.outbound(plane % paths.count()), route, challenge[plane], out);
        return true;
    }

    private Entropy begin() {
        Entropy made = entropy;
        if (made == null) {
            made = shared.entropyOf(agreement.localId()).split("planeProbe", 0);
            entropy = made;
            challenge = new long[agreement.planes().width()];
        }
        return made;
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
