package io.metaroce.path;

/** When a path that rests is asked whether it still works. */
final class RestProbe {
    private static final int ROUND_TRIPS = 100;
    private static final long SILENT_MAX_NS = 8_000_000_000L; // well before stamps begin anew

    private RestProbe() {}

    /**
     * The instant of the next question, or never if the path has carried nothing yet.
     *
     * @param everyNs how often a path is asked that answers, at most
     */
    static long atNs(PathRow row, TxStamps stamps, long everyNs, long lastEvidenceNs) {
        long restNs = Math.max(everyNs, ROUND_TRIPS * RttEstimator.smoothedNs(row));
        // R-PATH-024: whoever does not answer is asked less and less often.
        long silentNs = row.lastSentNs - lastEvidenceNs;
        return stamps.idleSinceNs(row, Math.max(restNs, Math.min(silentNs, SILENT_MAX_NS)));
    }
}
