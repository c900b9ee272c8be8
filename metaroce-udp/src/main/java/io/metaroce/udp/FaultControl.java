package io.metaroce.udp;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/** The switchboard of fault injection: what to do, and what has been done. Any thread. */
public final class FaultControl {
    /** What is counted. */
    enum Tally {
        PASSED,
        LOST,
        CUT,
        DUPLICATED,
        REORDERED,
        CORRUPTED,
        DELAYED,
        DISCARDED
    }

    /**
     * What the sending side has to do, as one piece.
     *
     * @param plan the faults by share
     * @param cuts the cuts, with the instant each was handed over
     */
    record Orders(FaultPlan plan, List<PlacedCut> cuts) {
        static final Orders NOTHING = new Orders(FaultPlan.NONE, List.of());

        boolean isNothing() {
            return plan.isNothing() && cuts.isEmpty();
        }
    }

    private final LongSupplier clock;
    private final AtomicLongArray counts = new AtomicLongArray(Tally.values().length);
    private volatile Orders orders = Orders.NOTHING;

    FaultControl(LongSupplier clock) {
        this.clock = clock;
    }

    /** Replaces the faults by share; cuts stay. */
    public synchronized void plan(FaultPlan plan) {
        orders = new Orders(plan, orders.cuts());
    }

    /** The faults by share that are in force. */
    public FaultPlan plan() {
        return orders.plan();
    }

    /** Adds a cut; its times count from now. */
    public synchronized void cut(Cut cut) {
        List<PlacedCut> cuts = new ArrayList<>(orders.cuts());
        cuts.add(new PlacedCut(cut, clock.getAsLong()));
        orders = new Orders(orders.plan(), List.copyOf(cuts));
    }

    /** Takes every cut back. */
    public synchronized void restore() {
        orders = new Orders(orders.plan(), List.of());
    }

    /** What has been done so far. */
    public FaultStatistics statistics() {
        return new FaultStatistics(
                count(Tally.PASSED),
                count(Tally.LOST),
                count(Tally.CUT),
                count(Tally.DUPLICATED),
                count(Tally.REORDERED),
                count(Tally.CORRUPTED),
                count(Tally.DELAYED),
                count(Tally.DISCARDED));
    }

    Orders orders() {
        return orders;
    }

    /** Event loop. */
    @SuppressWarnings("EnumOrdinal")
    void counted(Tally tally) {
        int i = tally.ordinal();
        counts.lazySet(i, counts.get(i) + 1);
    }

    @SuppressWarnings("EnumOrdinal")
    private long count(Tally tally) {
        return counts.get(tally.ordinal());
    }
}
