package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/**
 * The rule where not all that queues marks: delay plays the part of marks, and loss is answered in proportion.
 *
 * <p>A queue that all paths share slows the connection; one that a path has for itself slows that path and turns new
 * packets away from it. Where buffers are too shallow for that, loss is all there is: each lost byte takes half a byte
 * from the windows, which settles where growth gives it back. Only what is lost as well where no queue is in sight is
 * taken for chance.
 */
final class DelayRule implements RateRule {
    private static final int STRENGTH_MAX_Q10 = 256; // a quarter
    private static final int ONE_Q10 = 1024;
    private static final int ROUNDS_FRESH = 4;

    private final SenderState state;
    private final Round round = new Round();
    private final QueueSight sight;
    private final MarkCut cut;
    private long commonNs; // excess of the last round that no path could avoid

    DelayRule(SenderState state) {
        this.state = state;
        sight = new QueueSight(state.line);
        cut = new MarkCut(state);
    }

    @Override
    public void step(long nowNs, int path, boolean roundBegins, RateSignal signal) {
        if (round.turns(nowNs, state.srttNs())) {
            onRound(nowNs);
        }
        sight.onSignal(signal);
        if (roundBegins) {
            onPathRound(nowNs, path);
        }
        if (signal.lostBytes() > 0) {
            onLoss(path, signal.lostBytes());
        }
        // R-CC-020: a host that goes by delay for its own sake takes marks for what they are.
        if (cut.noteMarks(nowNs, path, signal)) {
            cut.onMarks(nowNs, path, signal);
        } else {
            Growth.onDelivery(nowNs, state, path, signal.ackedBytes(), increase());
        }
    }

    private void onRound(long nowNs) {
        int least = state.excess.leastNs(state.windows, state.rounds, nowNs - ROUNDS_FRESH * state.srttNs());
        commonNs = least == QueueExcess.NONE ? 0 : least;
        int strength = strengthQ10(commonNs);
        if (strength > 0) {
            state.connection.trim(FixedPoint.mulDiv(state.connection.windowBytes(), strength, ONE_Q10));
            state.connection.disturb();
        }
    }

    private void onPathRound(long nowNs, int path) {
        int excess = state.excess.finishedNs(path);
        int strength = excess == QueueExcess.NONE ? 0 : strengthQ10(excess - commonNs);
        if (strength > 0) {
            state.windows.trim(path, FixedPoint.mulDiv(state.windows.windowBytes(path), strength, ONE_Q10));
            state.signs.heat(path, nowNs + state.rounds.srttNs(path));
        }
    }

    private void onLoss(int path, long lost) {
        state.windows.trim(path, lost / 2);
        // R-CC-006: as where marks come, a loss by chance costs its path something and the connection nothing.
        long dueToQueue = sight.dueToQueueBytes(lost);
        if (dueToQueue > 0) {
            // R-CC-007: in proportion to what was lost.
            state.connection.trim(dueToQueue / 2);
            state.connection.disturb();
            state.coldStart.onMark();
        }
    }

    // In proportion to the window it has, so that loss settles at the same fraction for any number of senders.
    private long increase() {
        long fairWindow = state.line.windowBytes(state.hintBytesPerSecond());
        long part = Math.max(Math.min(fairWindow, state.connection.windowBytes()) >> 4, fairWindow >> 8);
        return part << state.connection.exponent();
    }

    // From nothing at the wanted delay to a quarter at twice of it.
    private int strengthQ10(long excessNs) {
        long wanted = Math.max(state.line.rtt0Ns(), state.line.standingDelayNs());
        if (excessNs <= wanted) {
            return 0;
        }
        return (int) Math.min(FixedPoint.mulDiv(excessNs - wanted, STRENGTH_MAX_Q10, wanted), STRENGTH_MAX_Q10);
    }
}
