package io.metaroce.param;

/**
 * Settings of congestion control, sender and receiver.
 *
 * @param outboundBytesPerSecond what this endpoint can send, all planes together (C_tx); 1 Mbyte/s..1 Tbyte/s
 * @param inboundBytesPerSecond what this endpoint can take in, all planes together (C_in); shared out in the rate hints
 * @param delayFloorNs least queueing delay that counts as a queue (dFloor), in ns
 * @param hintFloorNs least time a rate hint stays fresh, in ns
 * @param pacingBurstBytes most bytes that may leave at once after a pause; 0 means twice the largest packet
 * @param expectedFanIn how many senders are expected to start at once; 0 means unknown
 * @param readsMarks whether whoever receives for this endpoint can read the marks of IP headers; told to every peer
 */
public record RateConfig(
        long outboundBytesPerSecond,
        long inboundBytesPerSecond,
        long delayFloorNs,
        long hintFloorNs,
        int pacingBurstBytes,
        int expectedFanIn,
        boolean readsMarks) {
    /** The least rate of a direction, in bytes per second. */
    public static final long RATE_MIN = 1_000_000;

    private static final long RATE_MAX = 1_000_000_000_000L;

    /** Checks the bounds. */
    public RateConfig {
        Check.range("rate.outboundBytesPerSecond", outboundBytesPerSecond, RATE_MIN, RATE_MAX);
        Check.range("rate.inboundBytesPerSecond", inboundBytesPerSecond, RATE_MIN, RATE_MAX);
        Check.range("rate.delayFloorNs", delayFloorNs, 0, 1_000_000_000L);
        Check.range("rate.hintFloorNs", hintFloorNs, 0, 1_000_000_000L);
        Check.range("rate.pacingBurstBytes", pacingBurstBytes, 0, 1 << 24);
        Check.range("rate.expectedFanIn", expectedFanIn, 0, 1 << 20);
    }

    /** The same with another outbound and inbound rate, in bytes per second. */
    public RateConfig withLineRate(long outbound, long inbound) {
        return new RateConfig(
                outbound, inbound, delayFloorNs, hintFloorNs, pacingBurstBytes, expectedFanIn, readsMarks);
    }

    /** The same for a network side that can read marks, or cannot. */
    public RateConfig withReadsMarks(boolean value) {
        return new RateConfig(
                outboundBytesPerSecond,
                inboundBytesPerSecond,
                delayFloorNs,
                hintFloorNs,
                pacingBurstBytes,
                expectedFanIn,
                value);
    }
}
