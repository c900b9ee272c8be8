package io.metaroce.engine;

import io.metaroce.connection.ResetTokens;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.num.Allowance;
import io.metaroce.param.SecurityConfig;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.ResetHeader;
import org.jspecify.annotations.Nullable;

/**
 * Restarts, from both sides: tells peers of connections that this endpoint does not know, and ends connections whose
 * peer says, with the right token, that it does not know them.
 */
final class ResetDesk {
    /** Shorter packets draw nothing, so that an answer is never longer than its cause. */
    static final int CAUSE_BYTES_MIN = 64;
    /** Resets one source may draw in a second. */
    static final int PER_SOURCE = 10;
    /** Places of the table of sources; those that fall on one place share its allowance. */
    static final int SOURCES = 256;
    /** Resets looked at in a second: each asks every connection. */
    static final int JUDGED_PER_SECOND = 1_000;

    private final Peerings peerings;
    private final StatelessReplies replies;
    private final Counters counters;
    private final @Nullable ResetTokens tokens;
    private final Allowance[] sources = new Allowance[SOURCES];
    private final Allowance judged = new Allowance(JUDGED_PER_SECOND);

    ResetDesk(SecurityConfig security, Peerings peerings, StatelessReplies replies, Counters counters) {
        this.peerings = peerings;
        this.replies = replies;
        this.counters = counters;
        // Without a key that outlives the endpoint nothing can be proved: silence and the dead time decide.
        tokens = security.endpointKey().isPresent() ? new ResetTokens(security.endpointKey()) : null;
        for (int i = 0; i < SOURCES; i++) {
            sources[i] = new Allowance(PER_SOURCE);
        }
    }

    /** A packet for a connection that does not exist here, neither handshake nor RESET. */
    void onUnknown(long nowNs, Datagram cause, int connId) {
        // R-SEC-004: no answer to answers, none longer than its cause, few to one source.
        if (tokens == null || connId == 0 || cause.length() < CAUSE_BYTES_MIN || replies.isFull()) {
            return;
        }
        Address source = cause.source();
        if (sources[place(source)].take(nowNs) && replies.reset(connId, tokens.of(connId), cause.plane(), source)) {
            counters.increment(Counter.RESETS_SENT);
        }
    }

    /** A RESET whose trailer has been checked. Returns why it was dropped, or null. */
    @Nullable
    DropReason onReset(long nowNs, ResetHeader reset) {
        if (!judged.take(nowNs)) {
            return DropReason.RATE_LIMITED;
        }
        if (!peerings.reset(nowNs, reset.deadConnId(), reset.token())) {
            return DropReason.RESET_TOKEN;
        }
        counters.increment(Counter.RESETS_RECEIVED);
        return null;
    }

    private static int place(Address source) {
        long bits = (source.high() * 31 + source.low()) * 0x9E3779B97F4A7C15L;
        return (int) (bits >>> 56) & (SOURCES - 1);
    }
}
