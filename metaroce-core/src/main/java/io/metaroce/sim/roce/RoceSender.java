package io.metaroce.sim.roce;

import io.metaroce.sim.SimTime;
import org.jspecify.annotations.Nullable;

/** The sending side of one queue pair: one message, what has been sent of it, and what must be sent again. */
final class RoceSender {
    private static final int FEW_PACKETS = 3;
    private static final int BACK_OFF_MAX = 6;

    private final RoceConfig config;
    private final @Nullable Dcqcn dcqcn;
    private final int total;
    private final int lastBytes;
    private final long[] arrived; // bits, for selective repeat
    private int oldest; // first packet that has not been acknowledged
    private int next; // first packet that has not been sent, or is to be sent again with all behind it
    private int repairNext;
    private int repairEnd; // what was sent when a gap was told
    private int highestArrived = -1;
    private int arrivedAhead; // beyond the oldest
    private int round;
    private long paceAtPs;
    private long timeoutAtPs = SimTime.NEVER;
    private int backOff;
    private long doneAtPs = SimTime.NEVER;
    private long sent;

    RoceSender(RoceConfig config, long bytes) {
        this.config = config;
        dcqcn = config.dcqcn() == null ? null : new Dcqcn(config.dcqcn());
        total = (int) ((bytes + RocePacket.PAYLOAD_BYTES - 1) / RocePacket.PAYLOAD_BYTES);
        lastBytes = (int) (bytes - (total - 1L) * RocePacket.PAYLOAD_BYTES);
        arrived = new long[isSelective() ? (total + 63) / 64 : 0];
    }

    /** When it may send; never if there is nothing to send. */
    long readyAtPs() {
        return nextPsn() < 0 ? SimTime.NEVER : paceAtPs;
    }

    /** When its timer ends. */
    long timeoutAtPs() {
        return timeoutAtPs;
    }

    /** Takes the number of the packet to send now; {@link #readyAtPs} has come. */
    int take(long nowPs) {
        int psn = nextPsn();
        if (psn == next) {
            next++;
        } else {
            repairNext = psn + 1;
        }
        sent++;
        if (dcqcn != null) {
            long rate = dcqcn.bitsPerSecond(nowPs);
            paceAtPs = nowPs + RocePacket.WIRE_BYTES_MAX * 8_000_000_000L / (rate / 1_000);
        }
        if (timeoutAtPs == SimTime.NEVER) {
            restartTimer(nowPs);
        }
        return psn;
    }

    int payloadBytes(int psn) {
        return isLast(psn) ? lastBytes : RocePacket.PAYLOAD_BYTES;
    }

    boolean isLast(int psn) {
        return psn == total - 1;
    }

    int round() {
        return round;
    }

    boolean isDone() {
        return oldest == total;
    }

    long doneAtPs() {
        return doneAtPs;
    }

    long sentPackets() {
        return sent;
    }

    /** Everything below {@code psn} has arrived. */
    void onAck(long nowPs, int psn) {
        if (psn <= oldest) {
            return;
        }
        for (int i = oldest; isSelective() && i < psn; i++) {
            arrivedAhead -= isArrived(i) ? 1 : 0;
        }
        oldest = psn;
        next = Math.max(next, psn);
        backOff = 0;
        if (isDone()) {
            doneAtPs = nowPs;
            timeoutAtPs = SimTime.NEVER;
        } else {
            restartTimer(nowPs);
        }
    }

    /** {@code psn} is missing although later packets came. */
    void onNak(long nowPs, int psn, int sack) {
        onAck(nowPs, psn);
        if (psn < oldest || isDone()) {
            return; // an old one
        }
        if (!isSelective()) {
            rewind();
            return;
        }
        if (!isArrived(sack)) {
            arrived[sack >> 6] |= 1L << sack;
            arrivedAhead++;
            highestArrived = Math.max(highestArrived, sack);
        }
        if (oldest >= repairEnd) {
            repairEnd = next;
            repairNext = oldest;
        }
    }

    void onCnp(long nowPs) {
        if (dcqcn != null) {
            dcqcn.onCnp(nowPs);
        }
    }

    /** The timer has ended. */
    void onTimeout(long nowPs) {
        backOff = Math.min(BACK_OFF_MAX, backOff + 1);
        if (isSelective()) {
            repairNext = oldest;
            repairEnd = Math.max(oldest + 1, next);
            highestArrived = Math.max(highestArrived, oldest + 1);
        } else {
            rewind();
        }
        restartTimer(nowPs);
    }

    private void rewind() {
        next = oldest;
        round++;
    }

    private int nextPsn() {
        if (isSelective() && oldest < repairEnd) {
            int psn = Math.max(repairNext, oldest);
            while (psn < highestArrived && isArrived(psn)) {
                psn++;
            }
            if (psn < highestArrived) {
                return psn;
            }
        }
        boolean isOpen = config.windowPackets() == 0 || next - oldest < config.windowPackets();
        return next < total && isOpen ? next : -1;
    }

    private void restartTimer(long nowPs) {
        boolean isShort = isSelective() && next - oldest - arrivedAhead < FEW_PACKETS;
        timeoutAtPs = nowPs + ((isShort ? config.shortTimeoutPs() : config.timeoutPs()) << backOff);
    }

    private boolean isSelective() {
        return config.recovery() == RoceConfig.Recovery.SELECTIVE;
    }

    private boolean isArrived(int psn) {
        return psn < total && (arrived[psn >> 6] & (1L << psn)) != 0;
    }
}
