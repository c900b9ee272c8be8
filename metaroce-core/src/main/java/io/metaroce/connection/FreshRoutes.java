package io.metaroce.connection;

import io.metaroce.datagram.Route;
import io.metaroce.num.Entropy;
import io.metaroce.path.Path;
import org.jspecify.annotations.Nullable;

/** Draws routes that no path of the connection uses or tests, and the numbers of their challenges. */
final class FreshRoutes {
    private final PathSet paths;
    private final Agreement agreement;
    private final Shared shared;
    private final boolean[] taken; // by source port; notes of one call
    private @Nullable Entropy entropy; // most connections never draw

    FreshRoutes(PathSet paths, Agreement agreement, Shared shared) {
        this.paths = paths;
        this.agreement = agreement;
        this.shared = shared;
        this.taken = shared.scratch().taken;
    }

    /**
     * A route on {@code plane}, drawn uniformly from those nobody uses; when all are used, from all but the one that
     * {@code path} has; that one only where there is no other.
     */
    Route draw(Path path, int plane) {
        int free = taken.length;
        for (int i = 0; i < taken.length; i++) {
            taken[i] = false;
        }
        for (int i = 0; i < paths.count(); i++) {
            free -= take(plane, paths.outbound(i).route());
            free -= take(plane, paths.outbound(i).candidate().route());
        }
        int port = free == 0 ? other(path.route(), plane) : nthFree(free);
        return new Route(plane, port, agreement.planes().get(plane));
    }

    /** A number that an answer must repeat. */
    long challenge() {
        return entropy().nextLong();
    }

    /** Heads or tails. */
    boolean isHeads() {
        return entropy().nextInt(2) == 0;
    }

    private int other(Route own, int plane) {
        if (own.plane() != plane || taken.length == 1) {
            return entropy().nextInt(taken.length);
        }
        int port = entropy().nextInt(taken.length - 1);
        return port < own.entropy() ? port : port + 1;
    }

    private int take(int plane, @Nullable Route route) {
        if (route == null || route.plane() != plane || taken[route.entropy()]) {
            return 0;
        }
        taken[route.entropy()] = true;
        return 1;
    }

    private Entropy entropy() {
        Entropy made = entropy;
        if (made == null) {
            made = shared.entropyOf(agreement.localId()).split("candidate", 0);
            entropy = made;
        }
        return made;
    }

    private int nthFree(int free) {
        int left = entropy().nextInt(free);
        int port = 0;
        while (taken[port] || left > 0) {
            left -= taken[port] ? 0 : 1;
            port++;
        }
        return port;
    }
}
