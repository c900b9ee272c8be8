package io.metaroce.udp;

import java.time.Instant;
import java.util.function.LongSupplier;

/** The endpoint's clock: nanoseconds since it was made, never running backwards. Any thread. */
final class MonotonicTime implements LongSupplier {
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final long originNs = System.nanoTime();
    private final long epochNs = wallNs();

    /** The wall-clock time at the origin, in ns since 1970. */
    long epochNs() {
        return epochNs;
    }

    private static long wallNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NS_PER_SECOND + now.getNano();
    }

    @Override
    public long getAsLong() {
        return System.nanoTime() - originNs;
    }
}
