package io.metaroce.rate;

/** The running round of one path or connection: about one round-trip time, ended by the first signal after it. */
final class Round {
    private static final long NEVER_STARTED = Long.MIN_VALUE;
    private long startNs = NEVER_STARTED;
    private long lastLengthNs;

    /** Whether a new round begins with this signal. The very first signal begins one. */
    boolean turns(long nowNs, long lengthNs) {
        if (startNs != NEVER_STARTED && nowNs - startNs < lengthNs) {
            return false;
        }
        lastLengthNs = startNs == NEVER_STARTED ? 0 : nowNs - startNs;
        startNs = nowNs;
        return true;
    }

    /** How long the round that ended last was, in ns; 0 when none has ended. */
    long lastLengthNs() {
        return lastLengthNs;
    }
}
