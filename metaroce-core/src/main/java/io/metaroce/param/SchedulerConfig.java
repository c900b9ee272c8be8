package io.metaroce.param;

/**
 * How new data is spread over paths.
 *
 * @param burstPackets packets of new data that one path gets in a row, 1..128: 1 sprays best, more lets a socket send
 *     several packets in one call
 * @param burstBytes with one plane a burst of small packets goes on until it has cost so many bytes, or has
 *     {@link #BURST_PACKETS_MAX} packets; 0..65000, 0 for no longer bursts
 */
public record SchedulerConfig(int burstPackets, int burstBytes) {
    /** Packets of any burst at most: as many as a socket sends in one call. */
    public static final int BURST_PACKETS_MAX = 128;

    private static final int BURST_BYTES_MAX = 65_000;

    /** Checks the bounds. */
    public SchedulerConfig {
        Check.range("scheduler.burstPackets", burstPackets, 1, BURST_PACKETS_MAX);
        Check.range("scheduler.burstBytes", burstBytes, 0, BURST_BYTES_MAX);
    }

    /** Bursts of so many packets, whatever their size. */
    public SchedulerConfig(int burstPackets) {
        this(burstPackets, 0);
    }
}
