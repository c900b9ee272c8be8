package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/** Additive increase, coupled over the paths: what one acknowledgement adds to its path and to the connection. */
final class Growth {
    private final SenderState state;

    Growth(SenderState state) {
        this.state = state;
    }

    /** Adds the part that {@code acked} bytes have in an increase of {@code increase} bytes per round trip. */
    void onDelivery(long nowNs, PathWindow path, long acked, long increase) {
        // R-CC-010: a window that is not used does not grow.
        // R-CC-011: every path takes its part of one common increase.
        if (path.isActive()
                && path.flight.wasUsed()
                && state.paths.sumBytes() <= 3 * state.connection.windowBytes() / 2) {
            long step = FixedPoint.mulDiv(increase, acked, Math.max(state.paths.sumBytes(), 1));
            state.paths.resize(path, path.windowBytes() + step);
        }
        // R-HINT-005: a stale hint stops the growth of the connection's window.
        if (state.connection.flight.wasUsed() && !state.hint.isStale(nowNs)) {
            state.connection.grow(increase, acked, state.line.windowBytesMax());
        }
    }
}
