package io.metaroce.engine;

/**
 * The memory that an endpoint has set aside for its state; payload and the rings of queue pairs do not count.
 *
 * @param bytes set aside now: for everything made, the most that it may grow to
 * @param peakBytes the most there has been
 * @param capBytes the setting {@code limits.transportBytes}: what would exceed it is not made
 */
public record MemoryUse(long bytes, long peakBytes, long capBytes) {}
