package io.metaroce.rate;

/** Tells a loss by a full queue from a loss by chance. */
final class LossClassifier {
    private LossClassifier() {}

    /** The class of what {@code signal} reports as lost on {@code path}. */
    static LossClass classify(long nowNs, int path, RateSignal signal, SenderState state) {
        if (signal.lostBytes() == 0) {
            return LossClass.NONE;
        }
        boolean marked =
                signal.cePacketsDelta() > 0 || state.signs.isMarkedWithin(nowNs, path, state.rounds.srttNs(path));
        boolean queue = signal.excessNs() >= Math.max(signal.baseRttNs() / 4, state.line.delayTargetNs());
        return marked || queue ? LossClass.CONGESTIVE : LossClass.RANDOM;
    }
}
