package io.metaroce.sim.roce;

import io.metaroce.num.BitRing;
import io.metaroce.sim.SimTime;
import org.jspecify.annotations.Nullable;

/** The sending side of one queue pair: its messages, what has been sent of them, and what must be sent again. */
final class RoceSender {
    private static final int FEW_PACKETS = 3;
    private static final int BACK_OFF_MAX = 6;

    private final RoceConfig config;
    private final RoceChannel channel;
    private final int index; // within the channel
    private final int number; // within its host
    private final int receiver; // within the host of the other side
    private final int sourcePort;
    private final @Nullable Dcqcn dcqcn;
    private final RoceMessages messages = new RoceMessages();
    private final BitRing arrived; // beyond the oldest, for selective repeat
    private int oldest; // first packet that has not been acknowledged
    private int next; // first packet that has not been sent, or is to be sent again with all behind it
    private int repairNext;
    private int repairEnd; // what was sent when a gap was told
    private int highestArrived = -1;
    private int lostBelow; // the timer says that what is missing below is lost
    private int arrivedAhead; // beyond the oldest
    private int round;
    private long paceAtPs;
    private long timeoutAtPs = SimTime.NEVER;
    private int backOff;
    private long sent;

    RoceSender(RoceConfig config, RoceChannel channel, int index, int number, int receiver, int sourcePort) {
        this.config = config;
        this.channel = channel;
        this.index = index;
        this.number = number;
        this.receiver = receiver;
        this.sourcePort = sourcePort;
        dcqcn = config.dcqcn() == null ? null : new Dcqcn(config.dcqcn());
        arrived = ring(config);
    }

    /** A bit for every packet of two windows. */
    static BitRing ring(RoceConfig config) {
        return new BitRing(2 * Long.SIZE * Integer.highestOneBit(2 * config.windowPackets() / Long.SIZE + 1));
    }

    RoceMessages messages() {
        return messages;
    }

    RoceChannel channel() {
        return channel;
    }

    int index() {
        return index;
    }

    int number() {
        return number;
    }

    int receiver() {
        return receiver;
    }

    int sourcePort() {
        return sourcePort;
    }

    /** When it may send, never before it did last; never at all if there is nothing to send. */
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
        paceAtPs = nowPs;
        if (dcqcn != null) {
            dcqcn.onSent(nowPs, RocePacket.WIRE_BYTES_MAX);
            long rate = dcqcn.bitsPerSecond(nowPs);
            paceAtPs += RocePacket.WIRE_BYTES_MAX * 8_000_000_000L / (rate / 1_000);
        }
        if (timeoutAtPs == SimTime.NEVER) {
            restartTimer(nowPs);
        }
        return psn;
    }

    int round() {
        return round;
    }

    long sentPackets() {
        return sent;
    }

    /** Everything below {@code psn} has arrived. */
    void onAck(long nowPs, int psn) {
        if (psn <= oldest) {
            return;
        }
        for (int i = oldest; config.isSelective() && i < psn; i++) {
            if (arrived.get(i)) {
                arrived.clear(i);
                arrivedAhead--;
            }
        }
        oldest = psn;
        next = Math.max(next, psn);
        backOff = 0;
        if (oldest == messages.end()) {
            timeoutAtPs = SimTime.NEVER;
        } else {
            restartTimer(nowPs);
        }
        while (messages.takeBelow(oldest)) {
            channel.acknowledged(nowPs, index);
        }
    }

    /** {@code psn} is missing although later packets came. */
    void onNak(long nowPs, int psn, int sack) {
        onAck(nowPs, psn);
        if (psn < oldest || oldest == messages.end()) {
            return; // an old one
        }
        if (!config.isSelective()) {
            rewind();
            return;
        }
        if (sack > oldest && !arrived.get(sack)) {
            arrived.set(sack);
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
        if (config.isSelective()) {
            repairNext = oldest;
            repairEnd = Math.max(oldest + 1, next);
            lostBelow = repairEnd; // nothing comes any more that could tell which packets were lost
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
        if (config.isSelective() && oldest < repairEnd) {
            int end = Math.max(highestArrived - config.reorderPackets(), lostBelow);
            int psn = Math.max(repairNext, oldest);
            while (psn < end && arrived.get(psn)) {
                psn++;
            }
            if (psn < end) {
                return psn;
            }
        }
        boolean isOpen = config.windowPackets() == 0 || next - oldest < config.windowPackets();
        return next < messages.end() && isOpen ? next : -1;
    }

    private void restartTimer(long nowPs) {
        boolean isShort = config.isSelective() && next - oldest - arrivedAhead < FEW_PACKETS;
        timeoutAtPs = nowPs + ((isShort ? config.shortTimeoutPs() : config.timeoutPs()) << backOff);
    }
}
