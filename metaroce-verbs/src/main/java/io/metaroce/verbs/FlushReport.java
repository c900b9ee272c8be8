package io.metaroce.verbs;

/**
 * What a close cut short. Each of these work requests has a completion with {@code WR_FLUSH_ERR}, or will have one as
 * soon as its completion queue has room; that is normal, not an error.
 *
 * @param sends send work requests that were not carried out
 * @param receives receives that no message came for
 * @param outcome how the close went
 */
public record FlushReport(long sends, long receives, Outcome outcome) {
    /** How a close went. */
    public enum Outcome {
        /** All own work was done before the deadline. */
        DRAINED,
        /** The deadline passed, or the peer was gone: the rest was given up. */
        FORCED
    }

    /** Nothing was open. */
    static final FlushReport NOTHING = new FlushReport(0, 0, Outcome.DRAINED);

    FlushReport plus(FlushReport other) {
        return new FlushReport(
                sends + other.sends, receives + other.receives, outcome == Outcome.FORCED ? outcome : other.outcome);
    }
}
