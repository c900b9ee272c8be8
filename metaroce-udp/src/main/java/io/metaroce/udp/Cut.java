package io.metaroce.udp;

import java.time.Duration;

/**
 * A way through the network that stops carrying packets. It begins some time, or some packets, after it is handed to
 * {@link FaultControl#cut}, and may end by itself.
 *
 * @param what what {@code number} counts
 * @param number which one
 * @param afterNs begins so long after it was handed over, in ns
 * @param afterPackets and not before so many packets of its kind have passed
 * @param lastingNs how long it lasts once it has begun, in ns; {@link Long#MAX_VALUE}: until it is taken back
 */
public record Cut(What what, int number, long afterNs, long afterPackets, long lastingNs) {
    /** What is cut. */
    public enum What {
        /** Data packets that leave with this entropy value, on any plane. */
        ENTROPY,
        /**
         * Data packets on the route that this path of each connection has when the cut begins. The path itself can
         * escape by taking another route, as it can from a broken link.
         */
        PATH,
        /** Every packet that leaves by this plane. */
        PLANE
    }

    /** Checks the bounds. */
    public Cut {
        if (number < 0 || afterNs < 0 || afterPackets < 0 || lastingNs < 0) {
            throw new IllegalArgumentException("a cut has no negative numbers");
        }
    }

    /** Cuts what leaves with an entropy value, at once and for good. */
    public static Cut entropy(int value) {
        return new Cut(What.ENTROPY, value, 0, 0, Long.MAX_VALUE);
    }

    /** Cuts the route a path has now, at once and for good. */
    public static Cut path(int pathId) {
        return new Cut(What.PATH, pathId, 0, 0, Long.MAX_VALUE);
    }

    /** Cuts a plane, at once and for good. */
    public static Cut plane(int index) {
        return new Cut(What.PLANE, index, 0, 0, Long.MAX_VALUE);
    }

    /** The same, beginning later. */
    public Cut after(Duration time) {
        return new Cut(what, number, time.toNanos(), afterPackets, lastingNs);
    }

    /** The same, beginning after some packets. */
    public Cut afterPackets(long packets) {
        return new Cut(what, number, afterNs, packets, lastingNs);
    }

    /** The same, ending by itself. */
    public Cut lasting(Duration time) {
        return new Cut(what, number, afterNs, afterPackets, time.toNanos());
    }
}
