package io.metaroce.rate;

/**
 * The rule for networks that mark: coupled additive increase, a cut by a quarter of what was marked, an eighth for a
 * loss by chance, a half for a loss by congestion.
 */
final class EcnRule implements RateRule {
    private static final int SLACK_PACKETS = 2; // packets that a window may be larger than what is used of it

    private final SenderState state;

    EcnRule(SenderState state) {
        this.state = state;
    }

    @Override
    public void step(long nowNs, int path, boolean roundBegins, RateSignal signal) {
        LossClass loss = LossClassifier.classify(nowNs, path, signal, state);
        long marked = signal.markedBytes();
        if (signal.cePacketsDelta() > 0) {
            state.signs.onMark(nowNs, path);
        }
        if (loss != LossClass.NONE) {
            onLoss(nowNs, path, loss);
        }
        if (marked > 0) {
            onMarks(nowNs, path, marked, signal);
        } else if (loss != LossClass.CONGESTIVE) {
            long fairWindow = state.line.windowBytes(state.hintBytesPerSecond());
            long increase = (fairWindow >> 4) << state.connection.exponent();
            Growth.onDelivery(nowNs, state, path, signal.ackedBytes(), increase);
        }
    }

    private void onMarks(long nowNs, int path, long marked, RateSignal signal) {
        // R-CC-001: the window of the marked path and of no other.
        // R-CC-016: and what it has beyond its use, or the cut would change nothing.
        long used = state.flights.bytes(path) + signal.ackedBytes() + (long) SLACK_PACKETS * state.line.packetBytes();
        long unused = Math.max(state.windows.windowBytes(path) - used, 0);
        state.windows.trim(path, unused + marked / 4);
        state.signs.heat(path, nowNs + state.rounds.srttNs(path));
        state.coldStart.onMark();
        state.connection.disturb();
        // R-CC-004: fewer than half hot: the trimmed bytes go elsewhere.
        if (state.windows.isActive(path) && BottleneckVote.mostAreHot(nowNs, state.windows, state.signs)) {
            // R-CC-005: a quarter per round trip when everything is marked.
            cut(nowNs, marked, signal);
        }
    }

    private void cut(long nowNs, long marked, RateSignal signal) {
        if (state.line.isLong()) {
            // R-CC-018: on a long path a quarter at the first sign, and then a round trip of patience.
            state.first().onCrowd(nowNs, marked, signal.ackedBytes());
        } else {
            state.connection.trim(marked / 4);
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
                state.connection.fallToDelivered();
            }
        }
    }
}
