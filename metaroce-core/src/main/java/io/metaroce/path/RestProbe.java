package io.metaroce.path;

import io.metaroce.num.Deadline;

/** When a path that rests is asked whether it still works. */
final class RestProbe {
    private static final int ROUND_TRIPS = 100;
    private static final int LATER_SHIFT = 3; // an eighth
    private static final long SILENT_MAX_NS = 8_000_000_000L; // well before stamps begin anew

    private RestProbe() {}

    /**
     * The instant of the next question, or never if the path has carried nothing yet. Instants are those of a coarse
     * grid, which all connections of an endpoint share: their questions leave in one pass, and wake the peer once.
     *
     * @param everyNs how often a path is asked that answers, at most
     */
    static long atNs(PathRow row, TxStamps stamps, long everyNs, long lastEvidenceNs) {
        long restNs = Math.max(everyNs, ROUND_TRIPS * RttEstimator.smoothedNs(row));
        // R-PATH-024: whoever does not answer is asked less and less often.
        long silentNs = row.lastSentNs - lastEvidenceNs;
        long dueNs = stamps.idleSinceNs(row, Math.max(restNs, Math.min(silentNs, SILENT_MAX_NS)));
        return dueNs == Deadline.NEVER ? dueNs : onGrid(dueNs, everyNs);
    }

    /** The next instant of the grid; its step is a power of two, at most what a question may come later. */
    private static long onGrid(long ns, long everyNs) {
        long step = Long.highestOneBit(Math.max(everyNs >> LATER_SHIFT, 1));
        return (ns + step - 1) & -step;
    }
}
