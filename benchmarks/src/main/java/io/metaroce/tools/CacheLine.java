package io.metaroce.tools;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How long a cache line takes from one processor to another and back. On virtual machines the two processors may be
 * near (one cache) or far; throughput between two processes differs by a factor of three, so every result says which it
 * was.
 */
public final class CacheLine {
    private static final int RALLY = 200;
    private static final long GAME_NS = 50_000_000;
    private static final long OVER = -2;
    private static final long NEAR_NS = 120;
    private static final long FAR_NS = 200;

    private CacheLine() {}

    /**
     * One measurement.
     *
     * @param roundTripNs there and back, in ns; 0 when there is only one processor or the other one never had time
     */
    public record Placement(long roundTripNs) {
        /** "near", "far", "between", or "unknown". */
        public String word() {
            if (roundTripNs == 0) {
                return "unknown";
            }
            if (roundTripNs < NEAR_NS) {
                return "near";
            }
            return roundTripNs > FAR_NS ? "far" : "between";
        }

        @Override
        public String toString() {
            return roundTripNs == 0 ? word() : word() + " (" + roundTripNs + " ns)";
        }
    }

    /**
     * Measures for a few hundredths of a second: two threads play ping-pong, and the fastest rally counts, because in
     * any other one a player may have been off its processor.
     */
    public static Placement measure() {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            return new Placement(0);
        }
        AtomicLong ball = new AtomicLong();
        Thread partner = new Thread(() -> answer(ball), "cache-line");
        partner.setDaemon(true);
        partner.start();
        long endNs = System.nanoTime() + GAME_NS;
        long best = Long.MAX_VALUE;
        long next = 0;
        while (System.nanoTime() < endNs) {
            long startNs = System.nanoTime();
            long last = rally(ball, next, endNs);
            if (last == next + RALLY) {
                best = Math.min(best, (System.nanoTime() - startNs) / RALLY);
            }
            next = last;
        }
        ball.set(OVER);
        return new Placement(best == Long.MAX_VALUE ? 0 : Math.max(best, 1));
    }

    /** Hits the ball until the rally is complete or time is up; the number of the next hit. */
    private static long rally(AtomicLong ball, long first, long endNs) {
        long n = first;
        while (n < first + RALLY) {
            ball.set(2 * n + 1);
            while (ball.get() != 2 * n + 2) {
                Thread.onSpinWait();
                if (System.nanoTime() >= endNs) {
                    return n;
                }
            }
            n++;
        }
        return n;
    }

    private static void answer(AtomicLong ball) {
        for (long seen = ball.get(); seen != OVER; seen = ball.get()) {
            if ((seen & 1) != 0) {
                // Fails when the game was ended meanwhile; the next look sees it.
                boolean unused = ball.compareAndSet(seen, seen + 1);
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
