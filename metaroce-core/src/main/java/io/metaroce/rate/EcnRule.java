package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/**
 * The rule for networks that mark: coupled additive increase, a cut by a quarter of what was marked, an eighth for a
 * loss by chance, a half for a loss by congestion.
 */
final class EcnRule implements RateRule {
    private final SenderState state;

    EcnRule(SenderState state) {
        this.state = state;
    }

    @Override
    public void step(long nowNs, PathWindow path, RateSignal signal) {
        LossClass loss = LossClassifier.classify(nowNs, path, signal, state.line.delayTargetNs());
        long marked = signal.markedBytes();
        if (signal.cePacketsDelta() > 0) {
            path.lastMarkNs(nowNs);
        }
        if (loss != LossClass.NONE) {
            onLoss(nowNs, path, loss);
        }
        if (marked > 0) {
            onMarks(nowNs, path, marked);
        } else if (loss != LossClass.CONGESTIVE) {
            grow(nowNs, path, signal.ackedBytes());
        }
    }

    private void onMarks(long nowNs, PathWindow path, long marked) {
        // R-CC-001: the window of the marked path and of no other.
        // R-CC-009: not below half of what it was at the start of the round.
        long floor = path.roundWindowBytes() / 2;
        long before = path.windowBytes();
        state.paths.resize(path, Math.max(before - marked / 4, Math.min(before, floor)));
        path.hotUntilNs(nowNs + path.srttNs());
        state.coldStart.onMark();
        state.connection.disturb();
        // R-CC-004: fewer than half hot: the trimmed bytes go elsewhere.
        if (path.isActive() && BottleneckVote.mostAreHot(nowNs, state.paths)) {
            // R-CC-005: a quarter per round trip when everything is marked.
            state.connection.trim(marked);
        }
    }

    private void onLoss(long nowNs, PathWindow path, LossClass loss) {
        if (loss == LossClass.CONGESTIVE) {
            path.lastCongestiveNs(nowNs);
            state.connection.disturb();
        }
        if (path.takeLoss()) {
            // R-CC-006: a loss by chance costs the path an eighth and the connection nothing.
            long cut = loss == LossClass.CONGESTIVE ? path.windowBytes() / 2 : path.windowBytes() / 8;
            state.paths.resize(path, path.windowBytes() - cut);
            if (loss == LossClass.CONGESTIVE
                    && path.isActive()
                    && BottleneckVote.mostLostByCongestion(nowNs, state.paths, state.srttNs())) {
                state.connection.fallToDelivered();
            }
        }
    }

    private void grow(long nowNs, PathWindow path, long acked) {
        LineModel line = state.line;
        long increase = (line.windowBytes(state.hintBytesPerSecond()) >> 4) << state.connection.exponent();
        // R-CC-010: a window that is not used does not grow.
        // R-CC-011: every path takes its part of one common increase.
        if (path.isActive()
                && path.flight.wasUsed()
                && state.paths.sumBytes() <= 3 * state.connection.windowBytes() / 2) {
            long step = FixedPoint.mulDiv(increase, acked, Math.max(state.paths.sumBytes(), 1));
            state.paths.resize(path, path.windowBytes() + step);
        }
        // R-HINT-005: a stale hint stops the growth of the connection's window.
        if (state.connection.flight.wasUsed() && !state.hint.isStale(nowNs)) {
            state.connection.grow(increase, acked, line.windowBytesMax());
        }
    }
}
