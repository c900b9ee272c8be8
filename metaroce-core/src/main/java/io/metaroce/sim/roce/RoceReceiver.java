package io.metaroce.sim.roce;

import io.metaroce.num.BitRing;
import io.metaroce.sim.SimTime;

/** The receiving side of one queue pair: what comes next, what came early, and what has been said about it. */
final class RoceReceiver {
    /** Nothing is to be answered. */
    static final int SILENT = -1;

    private static final int NO_ROUND = -1;

    private final RoceConfig config;
    private final RoceSender sender;
    private final BitRing early; // beyond what is expected, for selective repeat
    private int expected;
    private int messages; // that have come
    private int unacknowledged;
    private int toldRound = NO_ROUND; // of the sender, in which the gap was told
    private long cnpAtPs = -SimTime.S;

    RoceReceiver(RoceConfig config, RoceSender sender) {
        this.config = config;
        this.sender = sender;
        early = RoceSender.ring(config);
    }

    /** The other side. */
    RoceSender sender() {
        return sender;
    }

    /** A packet has come. Returns the kind of the answer, or {@link #SILENT}; it names {@link #expected}. */
    int onData(int psn, int round, boolean isLast) {
        if (psn == expected) {
            expected++;
            toldRound = NO_ROUND;
            expected += early.clearRun(expected);
            return acknowledgement(isLast);
        }
        if (psn < expected) {
            return acknowledgement(isLast); // sent again in vain: what was said may not have been heard
        }
        if (config.isSelective()) {
            early.set(psn);
            return RocePacket.NAK;
        }
        boolean isNew = toldRound == NO_ROUND || (config.naksAgain() && toldRound != round);
        toldRound = isNew ? round : toldRound;
        return isNew ? RocePacket.NAK : SILENT;
    }

    /** Tells of messages that are complete. */
    void tell(long nowPs) {
        while (messages < sender.messages().added() && sender.messages().endOf(messages) <= expected) {
            messages++;
            sender.channel().arrived(nowPs, sender.index());
        }
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
}
