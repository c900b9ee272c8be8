package io.metaroce.sim.roce;

import io.metaroce.sim.SimTime;

/** The receiving side of one queue pair: what comes next, what came early, and what has been said about it. */
final class RoceReceiver {
    /** Nothing is to be answered. */
    static final int SILENT = -1;

    private static final int NO_ROUND = -1;

    private final RoceConfig config;
    private final long[] early; // ring of bits, for selective repeat
    private int expected;
    private int unacknowledged;
    private int toldRound = NO_ROUND; // of the sender, in which the gap was told
    private long cnpAtPs = -SimTime.S;

    RoceReceiver(RoceConfig config) {
        this.config = config;
        boolean isSelective = config.recovery() == RoceConfig.Recovery.SELECTIVE;
        early = new long[isSelective ? wordsFor(2 * config.windowPackets()) : 0];
    }

    // A power of two.
    private static int wordsFor(int packets) {
        return 2 * Integer.highestOneBit(packets / Long.SIZE + 1);
    }

    /** A packet has come. Returns the kind of the answer, or {@link #SILENT}; it names {@link #expected}. */
    int onData(int psn, int round, boolean isLast) {
        if (psn == expected) {
            expected++;
            toldRound = NO_ROUND;
            while (early.length > 0 && takeEarly(expected)) {
                expected++;
            }
            return acknowledgement(isLast);
        }
        if (psn < expected) {
            return acknowledgement(isLast); // sent again in vain: what was said may not have been heard
        }
        if (early.length > 0) {
            early[slot(psn)] |= 1L << psn;
            return RocePacket.NAK;
        }
        boolean isNew = toldRound == NO_ROUND || (config.naksAgain() && toldRound != round);
        toldRound = isNew ? round : toldRound;
        return isNew ? RocePacket.NAK : SILENT;
    }

    private int acknowledgement(boolean isLast) {
        if (++unacknowledged < config.packetsPerAck() && !isLast) {
            return SILENT;
        }
        unacknowledged = 0;
        return RocePacket.ACK;
    }

    int expected() {
        return expected;
    }

    /** Whether a marked packet is to be told now. */
    boolean tells(long nowPs, long cnpPs) {
        if (nowPs - cnpAtPs < cnpPs) {
            return false;
        }
        cnpAtPs = nowPs;
        return true;
    }

    private boolean takeEarly(int psn) {
        boolean is = (early[slot(psn)] & (1L << psn)) != 0;
        early[slot(psn)] &= ~(1L << psn);
        return is;
    }

    private int slot(int psn) {
        return (psn >> 6) & (early.length - 1);
    }
}
