package io.metaroce.param;

/**
 * Timers of a connection's life.
 *
 * @param handshakeRetryNs first wait for an answer to a connection request; doubles with every try
 * @param handshakeTries requests sent before giving up, 1..20
 * @param closeTries closing packets sent before giving up, 1..20
 * @param quiesceNs how long a graceful close waits for own work
 * @param keepaliveNs an idle connection is probed this often
 * @param deadNs a peer that delivered nothing for so long while work is outstanding is dead
 * @param tombstoneNs how long a closed connection still answers
 */
public record LivenessConfig(
        long handshakeRetryNs,
        int handshakeTries,
        int closeTries,
        long quiesceNs,
        long keepaliveNs,
        long deadNs,
        long tombstoneNs) {
    private static final long HOUR = 3_600_000_000_000L;

    /** Checks the bounds. */
    public LivenessConfig {
        Check.range("liveness.handshakeRetryNs", handshakeRetryNs, 1, HOUR);
        Check.range("liveness.handshakeTries", handshakeTries, 1, 20);
        Check.range("liveness.closeTries", closeTries, 1, 20);
        Check.range("liveness.quiesceNs", quiesceNs, 1, HOUR);
        Check.range("liveness.keepaliveNs", keepaliveNs, 1, HOUR);
        Check.range("liveness.deadNs", deadNs, 1, HOUR);
        Check.range("liveness.tombstoneNs", tombstoneNs, 1, HOUR);
    }
}
