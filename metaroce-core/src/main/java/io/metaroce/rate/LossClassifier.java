package io.metaroce.rate;

/** Tells a loss by a full queue from a loss by chance. */
final class LossClassifier {
    private LossClassifier() {}

    /** The class of what {@code signal} reports as lost. */
    static LossClass classify(long nowNs, PathWindow path, RateSignal signal, long delayTargetNs) {
        if (signal.lostBytes() == 0) {
            return LossClass.NONE;
        }
        boolean marked = signal.cePacketsDelta() > 0 || nowNs - path.lastMarkNs() <= signal.srttNs();
        long baseNs = signal.baseRttNs();
        boolean known = baseNs > 0 && signal.roundMinRttNs() > 0;
        boolean queue = known && signal.roundMinRttNs() - baseNs >= Math.max(baseNs / 4, delayTargetNs);
        return marked || queue ? LossClass.CONGESTIVE : LossClass.RANDOM;
    }
}
