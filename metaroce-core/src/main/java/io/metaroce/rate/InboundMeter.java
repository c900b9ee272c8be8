package io.metaroce.rate;

import io.metaroce.num.FixedPoint;
import io.metaroce.num.Minifloat;
import io.metaroce.num.Serial32;

/**
 * What one sender announces and what really arrives from it.
 *
 * <p>A sender that has just begun is still growing: for its first rounds a low rate says nothing about a limit
 * elsewhere. Without this patience a new backlogged sender would count as satisfied while it grows, and the hints of
 * equal senders would drift apart.
 */
final class InboundMeter {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int AVERAGE_SHIFT = 2;
    private static final int ROUNDS_LOW = 2;
    private static final int ROUNDS_GROWING = 8;
    private static final int EXCESS = 2; // times its share
    private static final int EXCESS_ROUNDS = 8;
    private static final int EXCESS_PACKETS = 2; // that may come early in any round
    private static final long NEVER = Long.MAX_VALUE;
    private static final long UNLIMITED = Long.MAX_VALUE;
    private static final long ANNOUNCED_MAX = Minifloat.decodeDemand(0xFF);

    private long announcedBytes;
    private int announcedStamp;
    private boolean announced;
    private long readBytes;
    private long roundStartNs;
    private long roundBytes;
    private long bytesPerSecond; // y
    private long grantedBefore; // in the round before
    private long excessSinceNs = NEVER; // every round since then was far beyond what was granted
    private int lowRounds;
    private int rounds; // since it began, up to ROUNDS_GROWING

    /** Starts anew with the first packet after silence. */
    void begin(long nowNs) {
        roundStartNs = nowNs;
        roundBytes = 0;
        bytesPerSecond = 0;
        lowRounds = 0;
        rounds = 0;
        announced = false;
        announcedBytes = 0;
        grantedBefore = 0;
        excessSinceNs = NEVER;
    }

    void onArrival(int costBytes) {
        roundBytes += costBytes;
    }

    /** Takes an announcement unless a later one is known; whether it was taken. */
    boolean onDemand(long bytes, int txStamp) {
        if (announced && Serial32.isBefore(txStamp, announcedStamp)) {
            return false;
        }
        announced = true;
        announcedStamp = txStamp;
        // The largest code means "so much or more".
        announcedBytes = bytes >= ANNOUNCED_MAX ? UNLIMITED : bytes;
        return true;
    }

    void onRead(long outstandingBytes) {
        readBytes = outstandingBytes;
    }

    /** b: what the sender still has for us, as far as is known; without limit when it has said nothing. */
    long backlogBytes() {
        if (announced) {
            return Math.max(announcedBytes, readBytes);
        }
        return readBytes > 0 ? readBytes : UNLIMITED;
    }

    /** Ends the round if one round trip has passed: averages the rate and compares it with what was granted. */
    void turn(long nowNs, long rttNs, long grantedBytesPerSecond) {
        long lengthNs = nowNs - roundStartNs;
        if (lengthNs < rttNs || lengthNs <= 0) {
            return;
        }
        long sample = FixedPoint.mulDiv(roundBytes, SECOND_NS, lengthNs);
        bytesPerSecond = rounds == 0 ? sample : FixedPoint.ewma(bytesPerSecond, sample, AVERAGE_SHIFT);
        rounds = Math.min(rounds + 1, ROUNDS_GROWING);
        boolean low = rounds == ROUNDS_GROWING && 5 * bytesPerSecond < 4 * grantedBytesPerSecond;
        lowRounds = low ? Math.min(lowRounds + 1, ROUNDS_LOW) : 0;
        boolean excess = sample / EXCESS > Math.max(grantedBytesPerSecond, grantedBefore) && grantedBefore > 0;
        excessSinceNs = excess ? Math.min(excessSinceNs, roundStartNs) : NEVER;
        grantedBefore = grantedBytesPerSecond;
        roundStartNs = nowNs;
        roundBytes = 0;
    }

    /**
     * Whether the sender has sent more than twice its share for so long that it does not keep to it.
     *
     * @param patienceNs a round trip, or how long a share stays fresh if that is longer
     */
    boolean exceeds(long nowNs, long patienceNs) {
        return excessSinceNs != NEVER && nowNs - excessSinceNs >= EXCESS_ROUNDS * patienceNs;
    }

    /** Whether more has come in the running round than twice the share and two packets. */
    boolean isBeyond(long nowNs, long rttNs, long grantedBytesPerSecond, long packetBytes) {
        long granted = Math.max(grantedBytesPerSecond, grantedBefore);
        long elapsedNs = Math.max(nowNs - roundStartNs, rttNs);
        return roundBytes > FixedPoint.mulDiv(EXCESS * granted, elapsedNs, SECOND_NS) + EXCESS_PACKETS * packetBytes;
    }

    /** y: the rate of arrival, averaged. */
    long bytesPerSecond() {
        return bytesPerSecond;
    }

    /** Whether something other than our share limits the sender. */
    boolean isLimitedElsewhere() {
        return lowRounds >= ROUNDS_LOW;
    }
}
