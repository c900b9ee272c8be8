package io.metaroce.connection;

import io.metaroce.num.Deadline;

/** The dead time of one connection: that of the endpoint, or the shortest that its queue pairs ask for. */
final class Patience {
    private static final int TIMEOUTS_MIN = 8;

    private final long usualNs;
    private long wishedNs = Deadline.NEVER;
    private boolean wished;
    private long leastNs;

    Patience(long usualNs) {
        this.usualNs = usualNs;
    }

    /** A queue pair asks for {@code ns}; {@link Deadline#NEVER} waits for ever. */
    void wish(long ns) {
        wishedNs = Math.min(wishedNs, ns);
        wished = true;
    }

    boolean isWished() {
        return wished;
    }

    /** The probe timeout as it stands. */
    void probeTimeout(long ns) {
        leastNs = TIMEOUTS_MIN * ns;
    }

    /** How long to wait from now on. */
    long ns() {
        // R-CONN-007: what is wished for is never so short that lost probes alone would end the connection.
        return wished ? Math.max(wishedNs, leastNs) : usualNs;
    }

    /** The instant at which patience ends that began at {@code sinceNs}. */
    long endNs(long sinceNs) {
        long ns = ns();
        return ns > Deadline.NEVER - sinceNs ? Deadline.NEVER : sinceNs + ns;
    }
}
