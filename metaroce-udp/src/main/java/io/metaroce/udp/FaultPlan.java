package io.metaroce.udp;

import java.time.Duration;

/**
 * Faults to inject on the sending side of an endpoint, per packet, decided by seeded draws. Immutable; start from
 * {@link #NONE} and change what is wanted. Shares are 0..1.
 *
 * @param target which packets may be hit
 * @param loss share of packets that are dropped
 * @param duplicate share of packets that are sent twice
 * @param reorder share of packets that are held back until up to {@code reorderPackets} later ones have passed
 * @param reorderPackets most packets that overtake, 1..1024
 * @param corrupt share of packets in which one bit is flipped
 * @param delayNs added to every packet's way, in ns
 * @param jitterNs further delay, drawn anew for each packet, in ns; packets may overtake each other
 */
public record FaultPlan(
        Target target,
        double loss,
        double duplicate,
        double reorder,
        int reorderPackets,
        double corrupt,
        long delayNs,
        long jitterNs) {
    /** Which packets faults may hit. */
    public enum Target {
        /** Slot packets and probes. */
        DATA,
        /** Reports, handshake, close. */
        CONTROL,
        /** Every packet. */
        ALL
    }

    /** No faults. */
    public static final FaultPlan NONE = new FaultPlan(Target.DATA, 0, 0, 0, 4, 0, 0, 0);

    private static final long DELAY_NS_MAX = 60_000_000_000L;

    /** Checks the bounds. */
    public FaultPlan {
        share("loss", loss);
        share("duplicate", duplicate);
        share("reorder", reorder);
        share("corrupt", corrupt);
        if (reorderPackets < 1 || reorderPackets > 1024) {
            throw new IllegalArgumentException("reorderPackets = " + reorderPackets + " is outside 1..1024");
        }
        delay("delayNs", delayNs);
        delay("jitterNs", jitterNs);
    }

    /** The same for other packets. */
    public FaultPlan withTarget(Target value) {
        return new FaultPlan(value, loss, duplicate, reorder, reorderPackets, corrupt, delayNs, jitterNs);
    }

    /** The same with another share of lost packets. */
    public FaultPlan withLoss(double share) {
        return new FaultPlan(target, share, duplicate, reorder, reorderPackets, corrupt, delayNs, jitterNs);
    }

    /** The same with another share of packets sent twice. */
    public FaultPlan withDuplicate(double share) {
        return new FaultPlan(target, loss, share, reorder, reorderPackets, corrupt, delayNs, jitterNs);
    }

    /** The same with another share of packets that are overtaken, by {@code packets} others at most. */
    public FaultPlan withReorder(double share, int packets) {
        return new FaultPlan(target, loss, duplicate, share, packets, corrupt, delayNs, jitterNs);
    }

    /** The same with another share of damaged packets. */
    public FaultPlan withCorrupt(double share) {
        return new FaultPlan(target, loss, duplicate, reorder, reorderPackets, share, delayNs, jitterNs);
    }

    /** The same with another delay and jitter. */
    public FaultPlan withDelay(Duration delay, Duration jitter) {
        return new FaultPlan(
                target, loss, duplicate, reorder, reorderPackets, corrupt, delay.toNanos(), jitter.toNanos());
    }

    boolean isNothing() {
        return loss == 0 && duplicate == 0 && reorder == 0 && corrupt == 0 && delayNs == 0 && jitterNs == 0;
    }

    private static void share(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " = " + value + " is not a share of 0..1");
        }
    }

    private static void delay(String name, long valueNs) {
        if (valueNs < 0 || valueNs > DELAY_NS_MAX) {
            throw new IllegalArgumentException(name + " = " + valueNs + " is outside 0.." + DELAY_NS_MAX);
        }
    }
}
