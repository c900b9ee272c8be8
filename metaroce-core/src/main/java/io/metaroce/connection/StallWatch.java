package io.metaroce.connection;

import io.metaroce.num.Deadline;

/**
 * Tells a peer that stands still, and a pause of this side, from paths that fail. While everything is silent it counts
 * the steps in which somebody is asked: four pauses double, then each is a quarter longer than the one before. The
 * first evidence ends that, and says nothing about the paths that have not spoken yet: they get one probe timeout of
 * grace.
 */
final class StallWatch {
    private static final int STEPS_TO_ROUTES = 3; // so many in vain, and other routes are asked as well
    private static final int STEPS_TO_REST = 4;
    private static final int STEPS_MAX = Short.MAX_VALUE;
    private static final int LONGER_SHIFT = 2; // a quarter

    private final long longestNs;
    private long lastEvidenceNs;
    private long graceUntilNs;
    private short steps; // questions so far, as they go round; 0 while not everything is silent
    private short movedAt; // steps when the paths were moved last
    private long stepAtNs = Deadline.NEVER;
    private long pauseNs; // before that step

    /** The pauses between two questions grow up to {@code longestNs}. */
    StallWatch(long longestNs) {
        this.longestNs = longestNs;
    }

    /**
     * A probe timeout of a path has expired.
     *
     * @param timeoutNs the largest probe timeout of the paths in use
     */
    void onTimeout(long nowNs, long timeoutNs) {
        if (!isTotal() && nowNs - lastEvidenceNs >= timeoutNs) {
            int unused = step(nowNs, timeoutNs);
        }
    }

    /** Whether it has lasted so long that one path per plane asks instead of each. */
    boolean restsPaths() {
        return steps >= STEPS_TO_REST;
    }

    /** Whether everything is silent. */
    boolean isTotal() {
        return steps > 0;
    }

    /** When somebody is to be asked again, or never. */
    long stepAtNs() {
        return stepAtNs;
    }

    /** The next step is taken; returns how many have been. */
    int step(long nowNs, long timeoutNs) {
        steps = (short) Math.min(steps + 1, STEPS_MAX);
        // R-HEALTH-012: so that what comes back is found after a quarter of the time for which it was away.
        pauseNs = steps <= STEPS_TO_REST ? timeoutNs << steps : pauseNs + (pauseNs >> LONGER_SHIFT);
        pauseNs = Math.min(pauseNs, longestNs);
        stepAtNs = nowNs + pauseNs;
        return steps;
    }

    /** Whether it may be the routes: then others are tested. */
    boolean doubtsRoutes() {
        return steps - movedAt >= STEPS_TO_ROUTES;
    }

    /** A route has answered, and everybody in use has moved to it. */
    void onMoved(long nowNs, long timeoutNs) {
        movedAt = steps;
        stepAtNs = Math.min(stepAtNs, nowNs + timeoutNs);
    }

    /**
     * A path has delivered; returns whether everything was silent before.
     *
     * @param timeoutNs the largest probe timeout of the paths in use; matters only when everything was silent
     */
    boolean endsWith(long nowNs, long timeoutNs) {
        boolean ends = isTotal();
        lastEvidenceNs = nowNs;
        if (ends) {
            steps = 0;
            movedAt = 0;
            stepAtNs = Deadline.NEVER;
            graceUntilNs = nowNs + timeoutNs;
        }
        return ends;
    }

    /**
     * This side was paused, so silence says nothing until a probe timeout has gone by. What was silent before still is:
     * the next question comes then, and those after it as seldom as they would have.
     */
    void onPaused(long nowNs, long timeoutNs) {
        lastEvidenceNs = nowNs;
        graceUntilNs = nowNs + timeoutNs;
        if (isTotal()) {
            stepAtNs = Math.max(stepAtNs, graceUntilNs);
        }
    }

    /** When the latest grace ends. */
    long graceUntilNs() {
        return graceUntilNs;
    }

    /** Whether nobody is suspected or confirmed now. */
    boolean isGrace(long nowNs) {
        return nowNs < graceUntilNs;
    }
}
