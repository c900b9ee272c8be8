package io.metaroce.rate;

/**
 * The rule for networks that mark: coupled additive increase, a cut by a quarter of what was marked, an eighth for a
 * loss by chance, a half for a loss by congestion.
 */
final class EcnRule implements RateRule {
    private final SenderState state;
    private final MarkCut cut;

    EcnRule(SenderState state) {
        this.state = state;
        this.cut = new MarkCut(state);
    }

    @Override
    public void step(long nowNs, int path, boolean roundBegins, RateSignal signal) {
        LossClass loss = LossClassifier.classify(nowNs, path, signal, state);
        boolean isMarked = cut.noteMarks(nowNs, path, signal);
        if (loss != LossClass.NONE) {
            onLoss(nowNs, path, loss);
        }
        if (isMarked) {
            cut.onMarks(nowNs, path, signal);
        } else if (loss != LossClass.CONGESTIVE && signal.ackedBytes() > 0) {
            long fairWindow = state.line.windowBytes(state.hintBytesPerSecond());
            long increase = (fairWindow >> 4) << state.connection.exponent();
            Growth.onDelivery(nowNs, state, path, signal.ackedBytes(), increase);
        }
    }

    private void fall(long nowNs) {
        // R-CC-021: what was delivered before a leap says nothing of the window after it.
        if (!state.line.isLong() || !state.first().onCrowdLost(nowNs)) {
            state.connection.fallToDelivered();
        }
    }

    private void onLoss(long nowNs, int path, LossClass loss) {
        if (loss == LossClass.CONGESTIVE) {
            state.signs.onCongestiveLoss(nowNs, path);
            state.connection.disturb();
        }
        if (state.windows.takeLoss(path)) {
            // R-CC-006: a loss by chance costs the path an eighth and the connection nothing.
            long window = state.windows.windowBytes(path);
            state.windows.resize(path, window - (loss == LossClass.CONGESTIVE ? window / 2 : window / 8));
            if (loss == LossClass.CONGESTIVE
                    && state.windows.isActive(path)
                    && BottleneckVote.mostLostByCongestion(nowNs, state.windows, state.signs, state.srttNs())) {
                fall(nowNs);
            }
        }
    }
}
