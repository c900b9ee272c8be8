package io.metaroce.path;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;

/**
 * The path whose echo is the newest of all that have delivered lately. Every delivery is compared with the leader; all
 * paths are asked again only when there is none, or when it has left its route or was silent for long.
 */
final class NewestEcho {
    private static final long RECENT_NS = 16_000_000_000L;

    private final int paths;
    private final TxStamps stamps;
    private final PathHealth health;
    private int leader = PathTable.NO_PATH;
    private @Bits(32) int echo; // of the leader, when it was last compared

    NewestEcho(int paths, TxStamps stamps, PathHealth health) {
        this.paths = paths;
        this.stamps = stamps;
        this.health = health;
    }

    /** A path has delivered. */
    void onEvidence(int path) {
        if (leader == PathTable.NO_PATH || !stamps.isEchoed(path)) {
            return;
        }
        int its = stamps.newestEcho(path);
        if (path == leader && !Serial32.isBefore(its, echo)) {
            echo = its;
        } else if (path == leader || !isLeading()) {
            leader = PathTable.NO_PATH;
        } else if (Serial32.isAfter(its, echo) || (its == echo && path < leader)) {
            lead(path);
        }
    }

    /** The path, the lowest of several with the same echo; {@link PathTable#NO_PATH} when none has delivered lately. */
    int path(long nowNs) {
        if (!isLeading() || !isRecent(nowNs, leader)) {
            leader = PathTable.NO_PATH;
            for (int path = 0; path < paths; path++) {
                // Stamps wrap after 68 s, so only those of living paths may be compared.
                if (stamps.isEchoed(path)
                        && isRecent(nowNs, path)
                        && (leader == PathTable.NO_PATH || Serial32.isAfter(stamps.newestEcho(path), echo))) {
                    lead(path);
                }
            }
        }
        return leader;
    }

    private void lead(int path) {
        leader = path;
        echo = stamps.newestEcho(path);
    }

    private boolean isLeading() {
        return leader != PathTable.NO_PATH && stamps.isEchoed(leader) && stamps.newestEcho(leader) == echo;
    }

    private boolean isRecent(long nowNs, int path) {
        return nowNs - health.lastEvidenceNs(path) < RECENT_NS;
    }
}
