package io.metaroce.rate;

/**
 * The rule for networks that mark: coupled additive increase, a cut by a quarter of what was marked, an eighth for a
 * loss by chance, a half for a loss by congestion.
 */
final class EcnRule implements RateRule {
    private final SenderState state;
    private final Growth growth;

    EcnRule(SenderState state) {
        this.state = state;
        growth = new Growth(state);
    }

    @Override
    public void step(long nowNs, PathWindow path, boolean roundBegins, RateSignal signal) {
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
            long fairWindow = state.line.windowBytes(state.hintBytesPerSecond());
            growth.onDelivery(nowNs, path, signal.ackedBytes(), (fairWindow >> 4) << state.connection.exponent());
        }
    }

    private void onMarks(long nowNs, PathWindow path, long marked) {
        // R-CC-001: the window of the marked path and of no other.
        state.paths.trim(path, marked / 4);
        path.hotUntilNs(nowNs + path.srttNs());
        state.coldStart.onMark();
        state.connection.disturb();
        // R-CC-004: fewer than half hot: the trimmed bytes go elsewhere.
        if (path.isActive() && BottleneckVote.mostAreHot(nowNs, state.paths)) {
            // R-CC-005: a quarter per round trip when everything is marked.
            state.connection.trim(marked / 4);
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
}
