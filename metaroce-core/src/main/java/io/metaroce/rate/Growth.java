package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/** Additive increase, coupled over the paths: what one acknowledgement adds to its path and to the connection. */
final class Growth {
    private Growth() {}

    /** Adds the part that {@code acked} bytes have in an increase of {@code increase} bytes per round trip. */
    static void onDelivery(long nowNs, SenderState state, int path, long acked, long increase) {
        PathWindows windows = state.windows;
        // R-CC-010: a window that is not used does not grow.
        // R-CC-011: every path takes its part of one common increase.
        if (windows.isActive(path) && state.flights.wasUsed(path) && hasRoom(state, path)) {
            long step = FixedPoint.mulDiv(increase, acked, Math.max(windows.sumBytes(), 1));
            windows.resize(path, windows.windowBytes(path) + step);
        }
        // R-HINT-005: a stale hint stops the growth of the connection's window.
        if (state.connection.flight.wasUsed() && !state.hint.isStale(nowNs)) {
            state.connection.grow(increase, acked, state.line.windowBytesMax());
        }
    }

    // R-CC-011: what others have and do not use keeps no path from an equal part.
    private static boolean hasRoom(SenderState state, int path) {
        PathWindows windows = state.windows;
        long wholeBytes = state.connection.windowBytes();
        return windows.sumBytes() <= 3 * wholeBytes / 2
                || windows.windowBytes(path) * windows.activeCount() <= wholeBytes;
    }
}
