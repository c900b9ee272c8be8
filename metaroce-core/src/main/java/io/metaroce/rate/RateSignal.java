package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/**
 * What one path block told about one path: the input registers of the rate laws. Reused; {@link #reset()} before each
 * block. What a block does not tell stays 0.
 */
public final class RateSignal {
    private long ackedBytes;
    private long lostBytes;
    private int lostPackets;
    private long rxPacketsDelta;
    private long cePacketsDelta;
    private long rttNs;
    private long srttNs;
    private long baseRttNs;
    private long roundMinRttNs;

    /** Sets every register to 0. */
    public RateSignal reset() {
        ackedBytes = 0;
        lostBytes = 0;
        lostPackets = 0;
        marks(0, 0);
        return rtt(0, 0, 0, 0);
    }

    /** Adds a packet of {@code costBytes} that is newly acknowledged. */
    public RateSignal acked(long costBytes) {
        ackedBytes += costBytes;
        return this;
    }

    /** Adds a packet of {@code costBytes} that the loss rule declared lost. */
    public RateSignal lost(long costBytes) {
        lostBytes += costBytes;
        lostPackets++;
        return this;
    }

    /** Sets how many packets the peer received on the path since the block before, and how many of them were marked. */
    public RateSignal marks(long rxPackets, long cePackets) {
        rxPacketsDelta = rxPackets;
        cePacketsDelta = cePackets;
        return this;
    }

    /**
     * Sets the round-trip times of the path, in ns; 0 is unknown.
     *
     * @param sampleNs the sample of this block
     * @param smoothedNs the average
     * @param baseNs the smallest of the last seconds
     * @param roundMinNs the smallest of the running round
     */
    public RateSignal rtt(long sampleNs, long smoothedNs, long baseNs, long roundMinNs) {
        rttNs = sampleNs;
        srttNs = smoothedNs;
        baseRttNs = baseNs;
        roundMinRttNs = roundMinNs;
        return this;
    }

    /** Cost newly acknowledged on the path, in bytes. */
    public long ackedBytes() {
        return ackedBytes;
    }

    /** Cost that the loss rule declared lost on the path, in bytes. */
    public long lostBytes() {
        return lostBytes;
    }

    /** How many packets that was. */
    public int lostPackets() {
        return lostPackets;
    }

    /** Packets the peer received on the path since the block before. */
    public long rxPacketsDelta() {
        return rxPacketsDelta;
    }

    /** Those of them that carried a congestion mark. */
    public long cePacketsDelta() {
        return cePacketsDelta;
    }

    /** The round-trip sample of this block, in ns; 0 when it gave none. */
    public long rttNs() {
        return rttNs;
    }

    /** The path's smoothed round-trip time, in ns; 0 when unknown. */
    public long srttNs() {
        return srttNs;
    }

    /** The path's smallest round-trip time in the last seconds, in ns; 0 when unknown. */
    public long baseRttNs() {
        return baseRttNs;
    }

    /** The path's smallest round-trip time in the running round, in ns; 0 when unknown. */
    public long roundMinRttNs() {
        return roundMinRttNs;
    }

    /** How far the best round trip of this round lies above the smallest known, in ns; 0 when either is unknown. */
    public long excessNs() {
        return baseRttNs > 0 ? Math.max(roundMinRttNs - baseRttNs, 0) : 0;
    }

    /** How far the sample of this block lies above the smallest known, in ns; -1 when either is unknown. */
    public long sampleExcessNs() {
        return rttNs > 0 && baseRttNs > 0 ? Math.max(rttNs - baseRttNs, 0) : -1;
    }

    /** The newly acknowledged cost that counts as marked, in bytes. */
    public long markedBytes() {
        if (cePacketsDelta <= 0 || rxPacketsDelta <= 0) {
            return 0;
        }
        return Math.min(ackedBytes, FixedPoint.mulDiv(ackedBytes, cePacketsDelta, rxPacketsDelta));
    }
}
