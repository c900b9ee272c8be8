package io.metaroce.connection;

import io.metaroce.path.Path;
import io.metaroce.path.SlotSlab;
import io.metaroce.path.TxSlots;
import io.metaroce.rate.CongestionControl;
import io.metaroce.rate.RateSignal;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;

/** Losses that are found by waiting, on paths that do not keep their order. */
final class LateLosses implements TxSlots.Outcome {
    private final CongestionControl congestion;
    private final SlotSlab slab;
    private final Counters counters;
    private final RateSignal signal;
    private final Agreement agreement;
    private final TransportEvents events;
    private long nowNs; // of the look for losses
    private int path;
    private int lost;

    LateLosses(
            CongestionControl congestion,
            SlotSlab slab,
            RateSignal signal,
            Counters counters,
            Agreement agreement,
            TransportEvents events) {
        this.congestion = congestion;
        this.slab = slab;
        this.signal = signal;
        this.counters = counters;
        this.agreement = agreement;
        this.events = events;
    }

    void loseOn(long now, Path late) {
        nowNs = now;
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
        events.slotLost(nowNs, agreement.localId(), path, slab.psn(slot));
    }
}
