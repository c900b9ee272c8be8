package io.metaroce.rate;

/** The running round of one path or connection: about one round-trip time, ended by the first signal after it. */
final class Round {
    private static final long NEVER_STARTED = Long.MIN_VALUE;

    private long startNs = NEVER_STARTED;

    /** Whether a new round begins with this signal. The very first signal begins one. */
    boolean turns(long nowNs, long lengthNs) {
        if (startNs != NEVER_STARTED && nowNs - startNs < lengthNs) {
            return false;
        }
        startNs = nowNs;
        return true;
    }

    /** How long the running round has lasted, in ns; 0 before the first. */
    long lengthNs(long nowNs) {
        return startNs == NEVER_STARTED ? 0 : nowNs - startNs;
    }
}
