package io.metaroce.connection;

import io.metaroce.num.Deadline;
import io.metaroce.path.Path;
import io.metaroce.path.PathState;

/**
 * Whether the reports of a side that sends little else arrive. Nobody acknowledges a report, so while slots come such a
 * side asks now and then on each plane, on one path after the other. A question that is not answered while others are
 * makes its path suspect, and then every path of that plane is asked, so that a lost plane is left as a whole.
 */
final class SilentWays {
    private static final int RTTS_PER_QUESTION = 16;
    private static final long EVERY_MIN_NS = 1_000_000;

    private final PathSet paths;
    private final PathCare care;
    private final PlaneWatch planes;
    private final Agreement agreement;
    private final boolean[] asked; // by path
    private long askAtNs = Deadline.NEVER;
    private long judgeAtNs = Deadline.NEVER;
    private long askedAtNs;
    private int turn;

    SilentWays(PathSet paths, PathCare care, PlaneWatch planes, Agreement agreement) {
        this.paths = paths;
        this.care = care;
        this.planes = planes;
        this.agreement = agreement;
        this.asked = new boolean[paths.count()];
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
        turn++;
        int usable = planes.usable();
        int questions = 0;
        // R-ACK-010: one question on each plane that has told nothing of itself since the last one.
        for (int k = 0; usable >>> k != 0; k++) {
            boolean isQuiet = ((usable >>> k) & 1) != 0 && !hasSpoken(nowNs, 1 << k);
            questions += isQuiet && askOneOf(nowNs, 1 << k) ? 1 : 0;
        }
        if (questions == 1) {
            // A path is silent only while another one is not.
            askOneOf(nowNs, usable);
        }
    }

    private boolean askOneOf(long nowNs, int among) {
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound((turn + i) % paths.count());
            if (path.state() == PathState.ACTIVE && path.isOn(among) && !asked[path.id()]) {
                ask(nowNs, path);
                return true;
            }
        }
        return false;
    }

    private void ask(long nowNs, Path path) {
        path.wantProbe();
        asked[path.id()] = true;
        askedAtNs = nowNs;
        long answerAtNs = nowNs + path.timeoutNs(agreement.peerAckDelayNs());
        judgeAtNs = judgeAtNs == Deadline.NEVER ? answerAtNs : Math.max(judgeAtNs, answerAtNs);
    }

    /** Whether anything is under way on these planes, or was lately: then silence would show without a question. */
    private boolean hasSpoken(long nowNs, int among) {
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            long evidenceNs = path.health().lastEvidenceNs();
            if (path.isOn(among) && (path.isInUse() || (evidenceNs > 0 && nowNs - evidenceNs < everyNs()))) {
                return true;
            }
        }
        return false;
    }

    private void judgeAll(long nowNs) {
        int silent = 0;
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (asked[i] && path.health().lastEvidenceNs() <= askedAtNs && care.onUnanswered(nowNs, path, askedAtNs)) {
                silent |= 1 << path.way().route().plane();
            }
            asked[i] = false;
        }
        for (int i = 0; silent != 0 && i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (path.state() == PathState.ACTIVE && path.isOn(silent)) {
                ask(nowNs, path);
            }
        }
    }

    private long everyNs() {
        return Math.max(RTTS_PER_QUESTION * paths.outbound(0).rtt().smoothedNs(), EVERY_MIN_NS);
    }
}
