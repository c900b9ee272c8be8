package io.metaroce.rate;

/** Tells a loss by a full queue from a loss by chance. */
final class LossClassifier {
    private LossClassifier() {}

    /** The class of what {@code signal} reports as lost. */
    static LossClass classify(long nowNs, PathWindow path, RateSignal signal, long delayTargetNs) {
        if (signal.lostBytes() == 0) {
            return LossClass.NONE;
        }
        boolean marked = signal.cePacketsDelta() > 0 || nowNs - path.lastMarkNs() <= path.srttNs();
        boolean queue = signal.excessNs() >= Math.max(signal.baseRttNs() / 4, delayTargetNs);
        return marked || queue ? LossClass.CONGESTIVE : LossClass.RANDOM;
    }
}
