package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/** The window of the whole connection (Wc), its exponent of growth (k), and what was delivered per round. */
final class ConnectionWindow {
    private static final int EXPONENT_MAX = 3;
    private static final int FLOOR_DIVISOR = 16;

    final Flight flight;
    private final Round round = new Round();
    private final int packetBytes; // Q
    private long windowBytes;
    private long roundWindowBytes;
    private int exponent;
    private boolean disturbed; // a mark or a congestive loss in the running round
    private long deliveredBytes;
    private long deliveredLastBytes; // scaled to one smoothed round trip

    ConnectionWindow(int packetBytes) {
        this.packetBytes = packetBytes;
        flight = new Flight(2 * packetBytes);
        windowBytes = 4L * packetBytes;
        roundWindowBytes = windowBytes;
    }

    long windowBytes() {
        return windowBytes;
    }

    int exponent() {
        return exponent;
    }

    /** Starts again with {@code bytes}; growth begins gently. */
    void restart(long bytes) {
        windowBytes = Math.max(bytes, packetBytes / FLOOR_DIVISOR);
        roundWindowBytes = windowBytes;
        exponent = 0;
        disturbed = false;
    }

    void raiseTo(long bytes) {
        windowBytes = Math.max(windowBytes, bytes);
    }

    /** Counts a delivery and, once per round, decides how fast to grow in the next one. */
    void onDelivery(long nowNs, long ackedBytes, long srttNs) {
        long lengthNs = round.lengthNs(nowNs);
        if (round.turns(nowNs, srttNs)) {
            if (lengthNs > 0) {
                deliveredLastBytes = FixedPoint.mulDiv(deliveredBytes, srttNs, lengthNs);
                exponent = disturbed ? 0 : Math.min(exponent + 1, EXPONENT_MAX);
            }
            deliveredBytes = 0;
            disturbed = false;
            roundWindowBytes = windowBytes;
        }
        deliveredBytes += ackedBytes;
    }

    /** A mark or a congestive loss: growth begins gently again. */
    void disturb() {
        disturbed = true;
        exponent = 0;
    }

    /** Grows by {@code increaseBytes} per window acknowledged. */
    void grow(long increaseBytes, long ackedBytes, long maxBytes) {
        long step = FixedPoint.mulDiv(increaseBytes, ackedBytes, Math.max(windowBytes, packetBytes));
        windowBytes = Math.max(windowBytes, Math.min(windowBytes + step, maxBytes));
    }

    /** Cuts {@code bytes} off. */
    void trim(long bytes) {
        // R-CC-009: not below half of what it was at the start of the round.
        long floor = Math.max(roundWindowBytes / 2, packetBytes / FLOOR_DIVISOR);
        windowBytes = Math.max(windowBytes - bytes, Math.min(windowBytes, floor));
    }

    /** The same, and not below half of what it is. */
    void fallByHalf() {
        long half = windowBytes / 2;
        fallToDelivered();
        windowBytes = Math.max(windowBytes, half);
    }

    /** Falls to what was delivered in the last round trip, not below two packets. */
    void fallToDelivered() {
        long delivered = deliveredLastBytes > 0 ? deliveredLastBytes : deliveredBytes;
        windowBytes = Math.min(windowBytes, Math.max(delivered, 2L * packetBytes));
    }
}
