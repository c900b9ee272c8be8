package io.metaroce.rate;

import io.metaroce.num.Bits;
import io.metaroce.num.FixedPoint;

/** Which part of what is sent is lost, averaged over some hundred packets; the first of them count in full. */
final class LossFraction {
    private static final int FOLDED_PACKETS = 64;
    private static final int SHIFT = 3;
    private static final int ONE_Q16 = 1 << 16;
    private static final int UNKNOWN = -1;

    private @Bits(31) int ackedBytes; // since the average moved; one block tells of 8192 packets at most
    private @Bits(31) int lostBytes;
    private int averageQ16 = UNKNOWN;

    /** Takes what one block says; answers by how many bytes the average has moved, 0 while it stands. */
    long onSignal(RateSignal signal, int packetBytes) {
        ackedBytes += (int) signal.ackedBytes();
        lostBytes += (int) signal.lostBytes();
        long sent = (long) ackedBytes + lostBytes;
        if (sent < (long) FOLDED_PACKETS * packetBytes) {
            return 0;
        }
        int fraction = (int) FixedPoint.mulDiv(lostBytes, ONE_Q16, sent);
        averageQ16 = isKnown() ? (int) FixedPoint.ewma(averageQ16, fraction, SHIFT) : fraction;
        ackedBytes = 0;
        lostBytes = 0;
        return sent;
    }

    /** Believes less of what has not been confirmed for long. */
    void fade() {
        averageQ16 -= averageQ16() >> SHIFT;
    }

    /** Whether enough has been sent to say anything. */
    boolean isKnown() {
        return averageQ16 != UNKNOWN;
    }

    /** The average in 1/65536; 0 while it is not known. */
    int averageQ16() {
        return Math.max(averageQ16, 0);
    }
}
