package io.metaroce.sim;

/**
 * What a NIC does on each plane.
 *
 * @param rateBitsPerSecond rate of each of its ports
 * @param txLatencyPs from the last bit serialised to the wire; 0 flatters everybody, say which was used
 * @param rxLatencyPs from the wire to the host
 * @param rxRingPackets packets that wait while the host is paused, at most; more are dropped
 */
public record NicConfig(long rateBitsPerSecond, long txLatencyPs, long rxLatencyPs, int rxRingPackets) {
    /** Checks the bounds. */
    public NicConfig {
        if (rateBitsPerSecond < 1 || txLatencyPs < 0 || rxLatencyPs < 0 || rxRingPackets < 0) {
            throw new IllegalArgumentException("NIC: rate " + rateBitsPerSecond + " bit/s must be positive; latencies "
                    + txLatencyPs + ", " + rxLatencyPs + " ps and ring " + rxRingPackets + " must not be negative");
        }
    }

    /** A NIC without latency of its own. */
    public static NicConfig ofGbit(int gbit) {
        return new NicConfig(gbit * 1_000_000_000L, 0, 0, 4096);
    }
}
