package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/**
 * What one path block told about one path: the input registers of the rate laws. Reused; {@link #reset()} before each
 * block.
 */
public final class RateSignal {
    private long ackedBytes;
    private long lostBytes;
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
        rxPacketsDelta = 0;
        cePacketsDelta = 0;
        rttNs = 0;
        srttNs = 0;
        baseRttNs = 0;
        roundMinRttNs = 0;
        return this;
    }

    /** Cost newly acknowledged on the path, in bytes. */
    public long ackedBytes() {
        return ackedBytes;
    }

    /** Sets {@link #ackedBytes()}. */
    public RateSignal ackedBytes(long bytes) {
        ackedBytes = bytes;
        return this;
    }

    /** Cost that the loss rule declared lost on the path, in bytes. */
    public long lostBytes() {
        return lostBytes;
    }

    /** Sets {@link #lostBytes()}. */
    public RateSignal lostBytes(long bytes) {
        lostBytes = bytes;
        return this;
    }

    /** Packets the peer received on the path since the block before. */
    public long rxPacketsDelta() {
        return rxPacketsDelta;
    }

    /** Sets {@link #rxPacketsDelta()}. */
    public RateSignal rxPacketsDelta(long packets) {
        rxPacketsDelta = packets;
        return this;
    }

    /** Those of them that carried a congestion mark. */
    public long cePacketsDelta() {
        return cePacketsDelta;
    }

    /** Sets {@link #cePacketsDelta()}. */
    public RateSignal cePacketsDelta(long packets) {
        cePacketsDelta = packets;
        return this;
    }

    /** The round-trip sample of this block, in ns; 0 when it gave none. */
    public long rttNs() {
        return rttNs;
    }

    /** Sets {@link #rttNs()}. */
    public RateSignal rttNs(long ns) {
        rttNs = ns;
        return this;
    }

    /** The path's smoothed round-trip time, in ns. */
    public long srttNs() {
        return srttNs;
    }

    /** Sets {@link #srttNs()}. */
    public RateSignal srttNs(long ns) {
        srttNs = ns;
        return this;
    }

    /** The path's smallest round-trip time in the last seconds, in ns; 0 when there is none yet. */
    public long baseRttNs() {
        return baseRttNs;
    }

    /** Sets {@link #baseRttNs()}. */
    public RateSignal baseRttNs(long ns) {
        baseRttNs = ns;
        return this;
    }

    /** The path's smallest round-trip time in the running round, in ns; 0 when there is none yet. */
    public long roundMinRttNs() {
        return roundMinRttNs;
    }

    /** Sets {@link #roundMinRttNs()}. */
    public RateSignal roundMinRttNs(long ns) {
        roundMinRttNs = ns;
        return this;
    }

    /** The newly acknowledged cost that counts as marked, in bytes. */
    public long markedBytes() {
        if (cePacketsDelta <= 0 || rxPacketsDelta <= 0) {
            return 0;
        }
        return Math.min(ackedBytes, FixedPoint.mulDiv(ackedBytes, cePacketsDelta, rxPacketsDelta));
    }
}
