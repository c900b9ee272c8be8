package io.metaroce.connection;

/**
 * Tells a peer that stands still, and a pause of this side, from paths that fail. When everything was silent, the first
 * evidence after it says nothing about the paths that have not spoken yet: they get one probe timeout of grace.
 */
final class StallWatch {
    private long lastEvidenceNs;
    private long graceUntilNs;
    private boolean total; // everything is silent

    /**
     * A probe timeout of a path has expired.
     *
     * @param timeoutNs the largest probe timeout of the paths in use
     */
    void onTimeout(long nowNs, long timeoutNs) {
        total |= nowNs - lastEvidenceNs >= timeoutNs;
    }

    /** Whether everything is silent. */
    boolean isTotal() {
        return total;
    }

    /**
     * A path has delivered; returns whether everything was silent before.
     *
     * @param timeoutNs the largest probe timeout of the paths in use; matters only when everything was silent
     */
    boolean endsWith(long nowNs, long timeoutNs) {
        boolean ends = total;
        total = false;
        lastEvidenceNs = nowNs;
        if (ends) {
            graceUntilNs = nowNs + timeoutNs;
        }
        return ends;
    }

    /** This side was paused. */
    void onPaused(long nowNs, long timeoutNs) {
        total = false;
        lastEvidenceNs = nowNs;
        graceUntilNs = nowNs + timeoutNs;
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
