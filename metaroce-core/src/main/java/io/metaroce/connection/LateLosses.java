package io.metaroce.connection;

import io.metaroce.path.Path;
import io.metaroce.path.SlotSlab;
import io.metaroce.path.TxSlots;
import io.metaroce.rate.CongestionControl;
import io.metaroce.rate.RateSignal;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;

/** Losses that are found by waiting, on paths that do not keep their order. */
final class LateLosses implements TxSlots.Outcome {
    private final CongestionControl congestion;
    private final SlotSlab slab;
    private final Counters counters;
    private final RateSignal signal;
    private int path;
    private int lost;

    LateLosses(CongestionControl congestion, SlotSlab slab, RateSignal signal, Counters counters) {
        this.congestion = congestion;
        this.slab = slab;
        this.signal = signal;
        this.counters = counters;
    }

    void loseOn(long nowNs, Path late) {
        path = late.id();
        lost = 0;
        signal.reset();
        late.loseLate(nowNs, this);
        if (lost > 0) {
            signal.rtt(0, late.smoothedRttNs(), late.baseRttNs(), late.roundMinRttNs());
            congestion.onSignal(nowNs, path, signal);
            counters.add(Counter.RETRANSMIT_GAP, lost);
        }
        for (; lost > 0; lost--) {
            late.countLost();
        }
    }

    @Override
    public void acked(int slot) {
        throw new IllegalStateException("a timer acknowledges nothing");
    }

    @Override
    public void lost(int slot) {
        congestion.onLeft(path, slab.costBytes(slot));
        signal.lost(slab.costBytes(slot));
        lost++;
    }
}
