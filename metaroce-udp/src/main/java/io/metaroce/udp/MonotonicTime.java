package io.metaroce.udp;

import java.util.function.LongSupplier;

/** The endpoint's clock: nanoseconds since it was made, never running backwards. Any thread. */
final class MonotonicTime implements LongSupplier {
    private final long originNs = System.nanoTime();

    @Override
    public long getAsLong() {
        return System.nanoTime() - originNs;
    }
}
