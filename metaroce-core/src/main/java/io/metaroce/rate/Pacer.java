package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/**
 * When the next packet may leave. What was not used is kept as an allowance up to one burst, so that late timers lose
 * no throughput.
 *
 * <p>The departure time is kept in 1/256 ns: at 1 Tbyte/s a packet lasts 4 ns.
 */
final class Pacer {
    private static final int FRACTION_BITS = 8;
    private static final long SECOND_Q8 = 1_000_000_000L << FRACTION_BITS;
    private static final int FLOOR_PACKETS_PER_SECOND = 10; // one packet per 100 ms

    private final long burstBytes;
    private final long floorBytesPerSecond;
    private long bytesPerSecond;
    private long burstQ8; // how long a burst lasts at the rate
    private int lastCost; // most packets cost the same, and division is slow
    private long lastCostQ8; // how long it lasts at the rate
    private long nextQ8 = Long.MIN_VALUE / 2;

    Pacer(long burstBytes, long packetBytes, long bytesPerSecond) {
        this.burstBytes = burstBytes;
        take(bytesPerSecond);
        floorBytesPerSecond = FLOOR_PACKETS_PER_SECOND * packetBytes;
    }

    /** Sets the rate; what is still owed at the old rate is owed at the new one, in bytes. */
    void rate(long nowNs, long wantedBytesPerSecond) {
        long rate = Math.max(wantedBytesPerSecond, floorBytesPerSecond);
        if (rate == bytesPerSecond) {
            return;
        }
        long nowQ8 = nowNs << FRACTION_BITS;
        if (nextQ8 > nowQ8) {
            nextQ8 = nowQ8 + FixedPoint.mulDiv(nextQ8 - nowQ8, bytesPerSecond, rate);
        }
        take(rate);
    }

    private void take(long rate) {
        bytesPerSecond = rate;
        burstQ8 = burstBytes * SECOND_Q8 / rate;
        lastCost = 0;
        lastCostQ8 = 0;
    }

    long bytesPerSecond() {
        return bytesPerSecond;
    }

    void onSent(long nowNs, int costBytes) {
        // R-CC-008: at most the rate plus one burst; rounded up, so never faster.
        long earliestQ8 = (nowNs << FRACTION_BITS) - burstQ8;
        if (costBytes != lastCost) {
            lastCost = costBytes;
            lastCostQ8 = (costBytes * SECOND_Q8 + bytesPerSecond - 1) / bytesPerSecond;
        }
        nextQ8 = Math.max(nextQ8, earliestQ8) + lastCostQ8;
    }

    /**
     * Nothing leaves before a part of the time that {@code costBytes} last at the rate has passed, unless more than
     * that is owed already.
     *
     * @param partQ16 0 to 1
     */
    void defer(long nowNs, int costBytes, int partQ16) {
        long waitQ8 = FixedPoint.mulDiv((long) costBytes * partQ16, SECOND_Q8, bytesPerSecond << 16);
        nextQ8 = Math.max(nextQ8, (nowNs << FRACTION_BITS) + waitQ8);
    }

    boolean allows(long nowNs) {
        return (nowNs << FRACTION_BITS) >= nextQ8;
    }

    /** The instant from which a packet may leave, in ns; may lie in the past. */
    long nextDepartureNs() {
        long ns = (nextQ8 + (1L << FRACTION_BITS) - 1) >> FRACTION_BITS;
        return Math.max(ns, 0);
    }
}
