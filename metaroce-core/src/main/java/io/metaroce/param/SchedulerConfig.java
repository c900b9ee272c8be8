package io.metaroce.param;

/**
 * How new data is spread over paths.
 *
 * @param burstPackets packets of new data that one path gets in a row, 1..128: 1 sprays best, more lets a socket send
 *     several packets in one call
 */
public record SchedulerConfig(int burstPackets) {
    /** Checks the bounds. */
    public SchedulerConfig {
        Check.range("scheduler.burstPackets", burstPackets, 1, 128);
    }
}
