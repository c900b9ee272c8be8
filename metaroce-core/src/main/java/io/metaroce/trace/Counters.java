package io.metaroce.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One endpoint's counters. Written by the endpoint's thread only, readable by any thread: a reader sees each counter's
 * recent value, not one consistent instant of all.
 */
public final class Counters {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final Counter[] ALL = Counter.values();
    private static final DropReason[] REASONS = DropReason.values();

    private final long[] values = new long[ALL.length];
    private final long[] drops = new long[REASONS.length];

    /** Adds {@code n} to a counter. Endpoint thread only. */
    @SuppressWarnings("EnumOrdinal")
    public void add(Counter counter, long n) {
        int i = counter.ordinal();
        ELEMENT.setRelease(values, i, values[i] + n);
    }

    /** Adds one to a counter. Endpoint thread only. */
    public void increment(Counter counter) {
        add(counter, 1);
    }

    /** Counts one dropped packet. Endpoint thread only. */
    @SuppressWarnings("EnumOrdinal")
    public void dropped(DropReason reason) {
        // R-OBS-003: every dropped packet raises exactly one drop counter.
        int i = reason.ordinal();
        ELEMENT.setRelease(drops, i, drops[i] + 1);
    }

    /** Current value of a counter. Any thread. */
    @SuppressWarnings("EnumOrdinal")
    public long get(Counter counter) {
        return (long) ELEMENT.getAcquire(values, counter.ordinal());
    }

    /** Packets dropped for a reason so far. Any thread. */
    @SuppressWarnings("EnumOrdinal")
    public long get(DropReason reason) {
        return (long) ELEMENT.getAcquire(drops, reason.ordinal());
    }

    /** Packets dropped for any reason so far. Any thread. */
    public long dropsTotal() {
        long sum = 0;
        for (DropReason reason : REASONS) {
            sum += get(reason);
        }
        return sum;
    }
}
