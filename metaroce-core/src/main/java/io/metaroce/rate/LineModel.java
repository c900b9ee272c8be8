package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/**
 * Products of rate and time that all laws share: how much queueing is wanted (D_t), the window of a rate (Wh), the
 * bandwidth-delay product. They rest on RTT0, the smallest base round-trip time over the paths, and on how much longer
 * the mean of their ways is, never on a loaded round trip.
 *
 * <p>Where the host adds delay of its own (software over sockets: {@code delayFloorNs} above 0) the base round trip is
 * not what a packet needs, even on an idle line: timers are late and reception comes in passes. The cap of the
 * connection window and the warm start therefore use {@code RTTm + delayFloor}; with {@code delayFloor} 0 this is the
 * plain bandwidth-delay product.
 */
final class LineModel {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int HOST_DELAYS = 4;
    private static final int TARGET_PACKETS = 8;
    private static final long LONG_NS = 1_000_000;
    private static final long RTT_UNKNOWN_NS = 100_000;

    private final long lineBytesPerSecond; // C_tx
    private final long delayFloorNs;
    private final int packetBytes; // Q
    private final long leastTargetNs; // D_t is never less
    private long rtt0Ns;
    private long longerNs; // than the shortest round trip is the mean one
    private long delayTargetNs; // D_t
    private long windowBytesMax;

    LineModel(long lineBytesPerSecond, long delayFloorNs, int packetBytes) {
        this.lineBytesPerSecond = lineBytesPerSecond;
        this.delayFloorNs = delayFloorNs;
        this.packetBytes = packetBytes;
        this.leastTargetNs = Math.max(packetsNs(TARGET_PACKETS), delayFloorNs);
        rtt0Ns(RTT_UNKNOWN_NS);
    }

    void rtt0Ns(long ns) {
        rtt0Ns = ns;
        reckon();
    }

    /** The mean round trip without queues is so much longer than the shortest. */
    void longerNs(long ns) {
        if (ns != longerNs) {
            longerNs = ns;
            reckon();
        }
    }

    /** RTTm: the mean round trip without queues. */
    long meanRttNs() {
        return rtt0Ns + longerNs;
    }

    private void reckon() {
        delayTargetNs = Math.max((rtt0Ns + longerNs) / 4, leastTargetNs);
        // Division is slow, every report asks for this, and the time changes seldom.
        long product = turnaroundBytes(lineBytesPerSecond);
        windowBytesMax = Math.max(product + product / 2, 4L * packetBytes);
    }

    long rtt0Ns() {
        return rtt0Ns;
    }

    /** Whether it is so far to the peer that a round trip is a long time. */
    boolean isLong() {
        return rtt0Ns >= LONG_NS;
    }

    /** Queueing delay that is wanted at a bottleneck, in ns. */
    long delayTargetNs() {
        return delayTargetNs;
    }

    /**
     * Delay above which a queue stands, where nothing but delay tells of queues, in ns. A host that adds delay of its
     * own may add several times what it usually does whenever other work keeps its threads from running.
     */
    long standingDelayNs() {
        return isFinelyTimed() ? delayTargetNs : Math.max(delayTargetNs, HOST_DELAYS * delayFloorNs);
    }

    /** How long so many packets take on the line, in ns. */
    long packetsNs(int packets) {
        return FixedPoint.mulDiv((long) packets * packetBytes, SECOND_NS, lineBytesPerSecond);
    }

    /** Whether round-trip times are exact: the host adds no delay of its own. */
    boolean isFinelyTimed() {
        return delayFloorNs == 0;
    }

    /** C_tx, in bytes per second. */
    long lineBytesPerSecond() {
        return lineBytesPerSecond;
    }

    /** Q: cost of the largest packet. */
    int packetBytes() {
        return packetBytes;
    }

    /** What a sender at {@code bytesPerSecond} keeps in flight when the wanted queue stands. */
    long windowBytes(long bytesPerSecond) {
        return FixedPoint.mulDiv(
                Math.min(bytesPerSecond, lineBytesPerSecond), rtt0Ns + longerNs + delayTargetNs, SECOND_NS);
    }

    /** What a sender at {@code bytesPerSecond} has on an empty line in one RTT0. */
    long onEmptyLineBytes(long bytesPerSecond) {
        return FixedPoint.mulDiv(Math.min(bytesPerSecond, lineBytesPerSecond), rtt0Ns, SECOND_NS);
    }

    /** The same, with what the host itself needs to turn a packet round. */
    long turnaroundBytes(long bytesPerSecond) {
        return FixedPoint.mulDiv(
                Math.min(bytesPerSecond, lineBytesPerSecond), rtt0Ns + longerNs + delayFloorNs, SECOND_NS);
    }

    /** The largest window of a connection: 3/2 of the bandwidth-delay product, at least 4 packets. */
    long windowBytesMax() {
        return windowBytesMax;
    }
}
