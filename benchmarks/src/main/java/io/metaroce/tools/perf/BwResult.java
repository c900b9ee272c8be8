package io.metaroce.tools.perf;

/**
 * What a bandwidth test of one size found.
 *
 * @param size message size in bytes
 * @param iterations messages completed
 * @param seconds from the first post to the last completion
 * @param peakBytesPerSecond best stretch of at least 20 ms; 0 when the test was shorter
 * @param sentPackets data packets sent, resends included
 * @param retransmits data packets sent again
 * @param cpuPercent share of all processors that this side took, in per cent
 * @param report what the server says about it
 */
public record BwResult(
        long size,
        long iterations,
        double seconds,
        double peakBytesPerSecond,
        long sentPackets,
        long retransmits,
        double cpuPercent,
        Report report) {
    private static final double MIB = 1 << 20;

    /** Payload bytes per second; of both directions together when both sides send. */
    public double bytesPerSecond() {
        return size * messagesPerSecond();
    }

    private double messagesPerSecond() {
        double back = report.sentNs() > 0 ? report.sentMessages() * 1e9 / report.sentNs() : 0;
        return iterations / seconds + back;
    }

    /** Payload in 10^9 bits per second. */
    public double gbitsPerSecond() {
        return bytesPerSecond() * 8 / 1e9;
    }

    /** Payload in 2^20 bytes per second. */
    public double mibPerSecond() {
        return bytesPerSecond() / MIB;
    }

    /** Best stretch in 2^20 bytes per second. */
    public double peakMibPerSecond() {
        return peakBytesPerSecond / MIB;
    }

    /** Best stretch in 10^9 bits per second. */
    public double peakGbitsPerSecond() {
        return peakBytesPerSecond * 8 / 1e9;
    }

    /** Messages per microsecond. */
    public double messageRate() {
        return messagesPerSecond() / 1e6;
    }
}
