package io.metaroce.connection;

import io.metaroce.path.Path;
import io.metaroce.path.PathState;

/**
 * A path is silent only while others are not. When none of them was used since, because nothing else is under way, one
 * is asked, each time another.
 */
final class Witness {
    private final PathSet paths;
    private final SilenceTest silence;
    private int last;

    Witness(PathSet paths, SilenceTest silence) {
        this.paths = paths;
        this.silence = silence;
    }

    /** Asks somebody who takes another way than {@code silent}, unless anybody else has delivered meanwhile. */
    void ask(Path silent, long sinceNs) {
        if (silence.othersDeliveredSince(silent, sinceNs)) {
            return;
        }
        for (int i = 0; i < paths.count(); i++) {
            last = (last + 1) % paths.count();
            Path path = paths.outbound(last);
            if (path != silent
                    && path.state() == PathState.ACTIVE
                    && !path.route().equals(silent.route())) {
                path.wantProbe();
                return;
            }
        }
    }
}
