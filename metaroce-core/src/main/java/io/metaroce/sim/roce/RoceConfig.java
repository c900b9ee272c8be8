package io.metaroce.sim.roce;

import io.metaroce.sim.SimTime;
import org.jspecify.annotations.Nullable;

/**
 * What a RoCEv2 host does.
 *
 * @param recovery how losses are repaired
 * @param windowPackets packets of a queue pair on the way at once, at most; 0 for no limit
 * @param reorderPackets packets by which others may be overtaken before these count as lost; only for selective repeat
 * @param packetsPerAck packets a receiver takes before it acknowledges, unless a message ends
 * @param naksAgain whether a gap is reported again when a packet sent again is lost, which no adapter does: the ideal
 *     that the closed form supposes
 * @param timeoutPs until the oldest packet is sent again; doubles each time
 * @param shortTimeoutPs the same while fewer than three packets are on the way; only for selective repeat
 * @param dcqcn congestion control, if any
 */
public record RoceConfig(
        Recovery recovery,
        int windowPackets,
        int reorderPackets,
        int packetsPerAck,
        boolean naksAgain,
        long timeoutPs,
        long shortTimeoutPs,
        @Nullable DcqcnConfig dcqcn) {
    /** How losses are repaired. */
    public enum Recovery {
        /** Everything from the lost packet on is sent again. */
        GO_BACK_N,
        /** Only what was lost is sent again, as IRN does (SIGCOMM 2018). */
        SELECTIVE
    }

    /** Checks the bounds. */
    public RoceConfig {
        if (windowPackets < 0 || reorderPackets < 0 || packetsPerAck < 1 || timeoutPs < 1 || shortTimeoutPs < 1) {
            throw new IllegalArgumentException("RoCE: window " + windowPackets + " and reorderPackets " + reorderPackets
                    + " must not be negative; packetsPerAck " + packetsPerAck + " and timeouts " + timeoutPs + ", "
                    + shortTimeoutPs + " ps must be positive");
        }
    }

    /** Go-back-N with a timeout of a millisecond. */
    public static RoceConfig goBackN(@Nullable DcqcnConfig dcqcn) {
        return new RoceConfig(Recovery.GO_BACK_N, 0, 0, 4, false, SimTime.MS, SimTime.MS, dcqcn);
    }

    /** Selective repeat in a window of one product of rate and round trip, timeouts of 16 and 4 round trips. */
    public static RoceConfig selective(long lineRateBitsPerSecond, long roundTripPs) {
        long bitsPerUs = lineRateBitsPerSecond / 1_000_000;
        long packets = roundTripPs / SimTime.NS * bitsPerUs / 1_000 / (8L * RocePacket.WIRE_BYTES_MAX);
        return new RoceConfig(
                Recovery.SELECTIVE, (int) Math.max(1, packets), 0, 1, false, 16 * roundTripPs, 4 * roundTripPs, null);
    }

    /** The same with gaps reported again. */
    public RoceConfig withIdealNaks() {
        return new RoceConfig(
                recovery, windowPackets, reorderPackets, packetsPerAck, true, timeoutPs, shortTimeoutPs, dcqcn);
    }

    /** The same over a fabric that lets packets of one queue pair overtake each other. */
    public RoceConfig withReordering(int packets) {
        return new RoceConfig(
                recovery, windowPackets, packets, packetsPerAck, naksAgain, timeoutPs, shortTimeoutPs, dcqcn);
    }

    boolean isSelective() {
        return recovery == Recovery.SELECTIVE;
    }
}
