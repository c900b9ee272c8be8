package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;
import io.metaroce.num.Entropy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws routes that no path of the connection uses or tests, and the numbers of their challenges. */
final class FreshRoutes {
    private final PathSet paths;
    private final List<Address> planes;
    private final Entropy entropy;
    private final boolean[] taken; // by source port; scratch

    FreshRoutes(PathSet paths, List<Address> planes, int sourcePorts, Entropy entropy) {
        this.paths = paths;
        this.planes = planes;
        this.entropy = entropy;
        this.taken = new boolean[sourcePorts];
    }

    /** A route on {@code plane}, drawn uniformly from those nobody uses; when all are used, from all. */
    Route draw(int plane) {
        int free = taken.length;
        for (int i = 0; i < taken.length; i++) {
            taken[i] = false;
        }
        for (int i = 0; i < paths.count(); i++) {
            free -= take(plane, paths.outbound(i).route());
            free -= take(plane, paths.outbound(i).candidate().route());
        }
        return new Route(plane, free == 0 ? entropy.nextInt(taken.length) : nthFree(free), planes.get(plane));
    }

    /** A number that an answer must repeat. */
    long challenge() {
        return entropy.nextLong();
    }

    /** Heads or tails. */
    boolean isHeads() {
        return entropy.nextInt(2) == 0;
    }

    private int take(int plane, @Nullable Route route) {
        if (route == null || route.plane() != plane || taken[route.entropy()]) {
            return 0;
        }
        taken[route.entropy()] = true;
        return 1;
    }

    private int nthFree(int free) {
        int left = entropy.nextInt(free);
        int port = 0;
        while (taken[port] || left > 0) {
            left -= taken[port] ? 0 : 1;
            port++;
        }
        return port;
    }
}
