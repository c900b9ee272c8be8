package io.metaroce.connection;

import io.metaroce.path.LossTest;
import io.metaroce.path.Path;
import io.metaroce.path.PathState;

/**
 * Which routes still carry the size in use: those of paths that lose beyond chance are asked, and others too until one
 * is found that does.
 */
final class PayloadDoubt {
    /** Nobody is left to be asked. */
    static final int NOBODY = -1;

    private static final byte CARRIES = -1;
    private static final int ROUNDS = 3; // in which less came back: enough to believe it
    private static final int TRIES = 8; // per path, those in which nothing came back included

    private final PathSet paths;
    private final byte[] narrow; // rounds in which less came back, or CARRIES
    private int tries; // left
    private boolean isCarried;

    PayloadDoubt(PathSet paths) {
        this.paths = paths;
        this.narrow = new byte[paths.count()];
        this.tries = TRIES * narrow.length;
    }

    /** The size came back from a path. */
    void carries(int path) {
        narrow[path] = CARRIES;
        isCarried = true;
    }

    /** Only less came back from it. */
    void carriesLess(int path) {
        if (narrow[path] != CARRIES) {
            narrow[path]++;
        }
    }

    /** The next path to be asked, or {@link #NOBODY}. */
    int next(int after) {
        tries--;
        int other = NOBODY;
        for (int i = 1; tries >= 0 && i <= narrow.length; i++) {
            int path = (after + i) % narrow.length;
            if (!isOpen(path)) {
                continue;
            }
            if (paths.losses().score(path) > LossTest.LIMIT) {
                return path;
            }
            other = other == NOBODY ? path : other;
        }
        return isCarried ? NOBODY : other;
    }

    private boolean isOpen(int path) {
        return isInUse(paths.outbound(path)) && narrow[path] != CARRIES && narrow[path] < ROUNDS;
    }

    /** Whether a path carries slots, so that its route matters. */
    static boolean isInUse(Path path) {
        return path.state() == PathState.ACTIVE
                || path.state() == PathState.SUSPECT
                || path.state() == PathState.DRAINING;
    }

    /** Whether the size came back from any path. */
    boolean isCarried() {
        return isCarried;
    }

    /** Whether the route of a path was found to carry less. */
    boolean isNarrow(int path) {
        return narrow[path] >= ROUNDS;
    }
}
