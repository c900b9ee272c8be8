package io.metaroce.connection;

/**
 * What the paths of all connections to a peer say about one plane. It is lost when two thirds of those that could tell
 * are silent, two at least, while another plane delivers: at once if only few have delivered lately, and after a probe
 * timeout if only few have delivered since the first of them fell silent.
 */
final class PlaneTally {
    private static final int SILENT_MIN = 2;

    private long nowNs;
    private long sinceNs; // the first of the silent fell silent
    private long timeoutNs;
    private int silent;
    private int heardLately;
    private int heardSince;
    private boolean delivers; // another plane

    void reset(long now, long silentSinceNs, long probeTimeoutNs) {
        nowNs = now;
        sinceNs = silentSinceNs;
        timeoutNs = probeTimeoutNs;
        silent = 0;
        heardLately = 0;
        heardSince = 0;
        delivers = false;
    }

    void countSilent() {
        silent++;
    }

    /** A path on the plane that is not silent has delivered last at {@code evidenceNs}. */
    void countHeard(long evidenceNs, long latelyNs) {
        heardLately += nowNs - evidenceNs < latelyNs ? 1 : 0;
        heardSince += evidenceNs > sinceNs ? 1 : 0;
    }

    /** A path on another plane has delivered last at {@code evidenceNs}. */
    void onOtherPlane(long evidenceNs) {
        delivers |= evidenceNs >= sinceNs;
    }

    boolean isPlaneLost() {
        if (!delivers || silent < SILENT_MIN) {
            return false;
        }
        return isMost(heardLately) || (nowNs - sinceNs >= timeoutNs && isMost(heardSince));
    }

    private boolean isMost(int heard) {
        return 3 * silent >= 2 * (silent + heard);
    }
}
