package io.metaroce.tools;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How long a cache line takes from one processor to another and back. On virtual machines the two processors may be
 * near (one cache) or far; throughput between two processes differs by a factor of three, so every result says which it
 * was.
 */
public final class CacheLine {
    private static final int ROUNDS = 20_000;
    private static final int TRIES = 3;
    private static final long NEAR_NS = 120;
    private static final long FAR_NS = 200;

    private CacheLine() {}

    /**
     * One measurement.
     *
     * @param roundTripNs there and back, in ns; 0 when there is only one processor
     */
    public record Placement(long roundTripNs) {
        /** "near", "far", "between", or "one processor". */
        public String word() {
            if (roundTripNs == 0) {
                return "one processor";
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

    /** Measures: the best of three short games of ping-pong between two spinning threads. */
    public static Placement measure() {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            return new Placement(0);
        }
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            best = Math.min(best, game());
        }
        return new Placement(Math.max(best, 1));
    }

    private static long game() {
        AtomicLong ball = new AtomicLong();
        Thread partner = new Thread(() -> play(ball, 1), "cache-line");
        partner.setDaemon(true);
        partner.start();
        long startNs = System.nanoTime();
        play(ball, 0);
        long ns = System.nanoTime() - startNs;
        return ns / ROUNDS;
    }

    private static void play(AtomicLong ball, int parity) {
        for (long n = parity; n < 2L * ROUNDS; n += 2) {
            while (ball.get() != n) {
                Thread.onSpinWait();
            }
            ball.set(n + 1);
        }
    }
}
