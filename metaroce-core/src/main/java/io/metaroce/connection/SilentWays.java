package io.metaroce.connection;

import io.metaroce.num.Bits;
import io.metaroce.num.Deadline;
import io.metaroce.path.Path;
import io.metaroce.path.PathState;
import java.util.Arrays;

/**
 * Whether the reports of a side that sends little else arrive. Nobody acknowledges a report, so while slots come such a
 * side asks now and then on each plane, on one path after the other. A question that is not answered while others are
 * makes its path suspect, and then every path of that plane is asked, so that a lost plane is left as a whole.
 */
final class SilentWays {
    private static final int RTTS_PER_QUESTION = 16;
    private static final long EVERY_MIN_NS = 1_000_000;
    private static final int NOBODY = -1;

    private final PathSet paths;
    private final PathCare care;
    private final PlaneWatch planes;
    private final Agreement agreement;
    private final boolean[] asked; // by path
    private final @Bits(8) byte[] epoch; // in which a path was asked
    private long askAtNs = Deadline.NEVER;
    private long judgeAtNs = Deadline.NEVER;
    private long askedAtNs;
    private int turn; // path that the next question begins with
    private boolean hasWitness; // somebody else was asked on behalf of those that have not answered

    SilentWays(PathSet paths, PathCare care, PlaneWatch planes, Agreement agreement) {
        this.paths = paths;
        this.care = care;
        this.planes = planes;
        this.agreement = agreement;
        this.asked = new boolean[paths.count()];
        this.epoch = new byte[paths.count()];
    }

    /** A slot has come: it will be reported, and reports that say so should arrive. */
    void onSlot(long nowNs) {
        if (deadlineNs() == Deadline.NEVER) {
            askAtNs = nowNs + everyNs();
        }
    }

    void onDeadline(long nowNs) {
        if (nowNs >= askAtNs) {
            askAtNs = Deadline.NEVER;
            askAll(nowNs);
        }
        if (nowNs >= judgeAtNs) {
            judgeAtNs = Deadline.NEVER;
            judgeAll(nowNs);
        }
    }

    long deadlineNs() {
        return Math.min(askAtNs, judgeAtNs);
    }

    private void askAll(long nowNs) {
        turn = (turn + 1) % paths.count();
        hasWitness = false;
        askedAtNs = nowNs;
        int usable = planes.usable();
        // R-ACK-010: one question on each plane that has told nothing of itself since the last one.
        for (int k = 0; usable >>> k != 0; k++) {
            int plane = usable & (1 << k);
            int path = hasSpoken(nowNs, plane) ? NOBODY : next(plane);
            if (path != NOBODY) {
                asked[path] = true;
                ask(nowNs, path);
            }
        }
    }

    /** A path on one of these planes that is not being asked, each time another. */
    private int next(int among) {
        for (int i = 0; i < paths.count(); i++) {
            int path = (turn + i) % paths.count();
            if (isThere(path, among) && !asked[path]) {
                return path;
            }
        }
        return NOBODY;
    }

    private boolean isThere(int path, int among) {
        return paths.outbound(path).state() == PathState.ACTIVE
                && paths.outbound(path).isOn(among);
    }

    private void ask(long nowNs, int path) {
        paths.outbound(path).wantProbe();
        epoch[path] = (byte) paths.outbound(path).epoch();
        long answerAtNs = nowNs + paths.outbound(path).timeoutNs(agreement.peerAckDelayNs());
        judgeAtNs = judgeAtNs == Deadline.NEVER ? answerAtNs : Math.max(judgeAtNs, answerAtNs);
    }

    /** Whether anything is under way on these planes, or was lately: then silence would show without a question. */
    private boolean hasSpoken(long nowNs, int among) {
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            long evidenceNs = path.lastEvidenceNs();
            if (path.isOn(among) && (path.isInUse() || (evidenceNs > 0 && nowNs - evidenceNs < everyNs()))) {
                return true;
            }
        }
        return false;
    }

    private void judgeAll(long nowNs) {
        int silent = 0;
        boolean isOpen = false;
        for (int i = 0; i < paths.count(); i++) {
            asked[i] &= owesAnswer(i);
            if (asked[i] && care.onUnanswered(nowNs, paths.outbound(i), askedAtNs)) {
                silent |= 1 << paths.outbound(i).plane();
                asked[i] = false;
            }
            isOpen |= asked[i];
        }
        if (silent != 0) {
            askAllOn(nowNs, silent);
        } else if (isOpen && !hasWitness) {
            // A path is silent only while another one is not, so another one is asked.
            hasWitness = true;
            int witness = next(planes.usable());
            ask(nowNs, witness == NOBODY ? turn : witness);
        } else {
            Arrays.fill(asked, false);
        }
    }

    /** Nothing has come since the question, and it was put on the route that the path still has. */
    private boolean owesAnswer(int path) {
        return paths.outbound(path).lastEvidenceNs() <= askedAtNs
                && epoch[path] == (byte) paths.outbound(path).epoch();
    }

    private void askAllOn(long nowNs, int among) {
        askedAtNs = nowNs;
        for (int i = 0; i < paths.count(); i++) {
            asked[i] = isThere(i, among);
            if (asked[i]) {
                ask(nowNs, i);
            }
        }
    }

    private long everyNs() {
        return Math.max(RTTS_PER_QUESTION * paths.outbound(0).smoothedRttNs(), EVERY_MIN_NS);
    }
}
