package io.metaroce.sim;

import io.metaroce.num.Serial32;
import io.metaroce.num.SplitMix64;
import io.metaroce.num.StampClock;
import io.metaroce.sim.Invariants.Terms;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.PathBlock;
import java.nio.ByteBuffer;

/**
 * The law of one path, as seen from outside: what its sender sends, what reaches the receiver, what the receiver
 * reports and what of that reaches the sender. Methods answer with a fault that begins with its tag, or with nothing.
 */
final class PathLaw {
    private static final int PATH_STRIDE = 0x9E3779B1;
    private static final long STAMP_AMNESTY_PS = 16 * SimTime.S;
    private static final long STAMPS_AHEAD = 1 << 20; // of the clock at most, where many packets leave at one instant
    private static final int MESSAGE_FLAGS = 18;
    private static final int DEMAND = 19;
    private static final int READ_HINT = 48;
    private static final int READ_HINT_END = 52;
    private static final int RESPONSE_STATUS = 28;
    private static final int RESPONSE_DEMAND = 29;
    private static final int WITHDRAWN = 0x02;

    private final int id;
    private final int window;
    private final int mask;
    private final int coverage;

    // what was sent
    private final int firstPsn;
    private int nextPsn;
    private boolean hasSent;
    private int lastStamp;
    private long firstSentPs;
    private long lastSentPs;
    private int epoch;
    private int plane;
    private int sourcePort;
    private final long[] headerHash; // by psn within the window
    private final long[] payloadHash;

    // what is known of slots, by psn within the window
    private final BitRow delivered;
    private final BitRow reported;
    private final BitRow acked;
    private int reportedCum;
    private int ackedCum;
    private boolean hasEcho;
    private int echo;
    private long echoAtPs; // when the last packet had been sent by then
    private boolean hasRested; // for 16 s, since the last echo

    PathLaw(int id, Terms terms) {
        this.id = id;
        window = terms.window();
        mask = window - 1;
        coverage = 64 * terms.sackWords();
        firstPsn = terms.psnSeed() + id * PATH_STRIDE;
        nextPsn = firstPsn;
        reportedCum = firstPsn;
        ackedCum = firstPsn;
        headerHash = new long[window];
        payloadHash = new long[window];
        delivered = new BitRow(window);
        reported = new BitRow(window);
        acked = new BitRow(window);
    }

    /** The sender hands a slot packet to its NIC. */
    String onSlotSent(PacketView view, PacketPool packets, int packet) {
        String fault = onOrdered(view, packets, packet);
        if (!fault.isEmpty()) {
            return fault;
        }
        return view.base().isResent() ? resent(view) : created(view);
    }

    /** The sender hands a PROBE(T) to its NIC. */
    String onProbeSent(PacketView view, PacketPool packets, int packet) {
        return onOrdered(view, packets, packet);
    }

    /** A slot packet reaches the receiver. */
    void onSlotDelivered(int psn) {
        if (!Serial32.isBefore(psn, reportedCum) && Serial32.isBefore(psn, nextPsn)) {
            delivered.set(psn & mask);
        }
    }

    /** The receiver sends a report of this path; reports come here in the order of their AckSeq. */
    String onBlockSent(PathBlock block) {
        int cum = block.cumPsn();
        // Checks R-SACK-003: what was reported is never withdrawn.
        if (Serial32.isBefore(cum, reportedCum)) {
            return "R-SACK-003: path " + id + ": CumPSN " + cum + " after " + reportedCum;
        }
        if (Serial32.isAfter(cum, nextPsn)) {
            return "R-ACK-007: path " + id + ": CumPSN " + cum + ", but the next slot is " + nextPsn;
        }
        for (; reportedCum != cum; reportedCum++) {
            // Checks R-SACK-002: only what has arrived is reported.
            if (!delivered.get(reportedCum & mask)) {
                return "R-SACK-002: path " + id + ": CumPSN " + cum + " covers " + reportedCum
                        + ", which never arrived";
            }
        }
        String fault = bits(block, cum);
        return fault.isEmpty() ? echo(block) : fault;
    }

    /** A report of this path reaches the sender. */
    void onBlockDelivered(PathBlock block) {
        int cum = block.cumPsn();
        if (Serial32.isAfter(cum, ackedCum) && !Serial32.isAfter(cum, nextPsn)) {
            ackedCum = cum;
        }
        int base = cum + block.sackOffset();
        for (int word = 0; word < block.words(); word++) {
            for (long bits = block.bitmapWord(word); bits != 0; bits &= bits - 1) {
                int psn = base + 64 * word + Long.numberOfTrailingZeros(bits);
                if (!Serial32.isBefore(psn, ackedCum) && Serial32.isBefore(psn, nextPsn)) {
                    acked.set(psn & mask);
                }
            }
        }
    }

    private String onOrdered(PacketView view, PacketPool packets, int packet) {
        int stamp = view.base().txStamp();
        long nowPs = packets.sentPs(packet);
        // Checks R-PATH-006: stamps grow strictly over all slot packets and probes of a path.
        if (hasSent && !Serial32.isAfter(stamp, lastStamp) && nowPs - lastSentPs < STAMP_AMNESTY_PS) {
            return "R-PATH-006: path " + id + ": stamp " + stamp + " follows " + lastStamp;
        }
        int nowEpoch = view.base().pathEpoch();
        int nowPlane = packets.plane(packet);
        int nowPort = packets.sourcePort(packet);
        if (hasSent) {
            boolean isSameRoute = nowPlane == plane && nowPort == sourcePort;
            byte step = (byte) (nowEpoch - epoch);
            // Checks R-PATH-010: the epoch changes with the route and with nothing else.
            boolean isBreach = isSameRoute ? step == 1 : step == 0;
            if (step < 0 || isBreach) {
                return "R-PATH-010: path " + id + ": epoch " + epoch + ", plane " + plane + ", port " + sourcePort
                        + " becomes epoch " + nowEpoch + ", plane " + nowPlane + ", port " + nowPort;
            }
        }
        hasRested |= hasSent && nowPs - lastSentPs >= STAMP_AMNESTY_PS;
        firstSentPs = hasSent ? firstSentPs : nowPs;
        hasSent = true;
        lastStamp = stamp;
        lastSentPs = nowPs;
        epoch = nowEpoch;
        plane = nowPlane;
        sourcePort = nowPort;
        return "";
    }

    private String created(PacketView view) {
        int psn = view.base().psn();
        // Checks R-PATH-001: numbers begin at the seed and grow by one.
        if (psn != nextPsn) {
            return "R-PATH-001: path " + id + ": new slot " + psn + ", due is " + nextPsn;
        }
        // Checks R-PATH-003: no slot at or beyond the window of the receiver.
        if (!Serial32.isBefore(psn, ackedCum + window)) {
            return "R-PATH-003: path " + id + ": slot " + psn + " with CumPSN " + ackedCum + " and window " + window;
        }
        int i = psn & mask;
        nextPsn = psn + 1;
        delivered.clear(i);
        reported.clear(i);
        acked.clear(i);
        headerHash[i] = headerHash(view);
        payloadHash[i] = payloadHash(view);
        return "";
    }

    private String resent(PacketView view) {
        int psn = view.base().psn();
        if (!Serial32.isBefore(psn, nextPsn)) {
            return "R-PATH-007: path " + id + ": slot " + psn + " is resent before it was sent";
        }
        // Checks R-PATH-020: no slot is resent after an ACK for it has arrived.
        if (Serial32.isBefore(psn, ackedCum) || acked.get(psn & mask)) {
            return "R-PATH-020: path " + id + ": slot " + psn + " is resent although it was acknowledged";
        }
        int i = psn & mask;
        // Checks R-PATH-023: a resend equals the first transmission outside the mutable fields.
        if (headerHash[i] != headerHash(view)) {
            return "R-PATH-023: path " + id + ": slot " + psn + " is resent with another header";
        }
        boolean readsAgain = view.opcode() == Opcode.READ_RESP;
        if (!readsAgain && !isWithdrawn(view) && payloadHash[i] != payloadHash(view)) {
            return "R-PATH-023: path " + id + ": slot " + psn + " is resent with another payload";
        }
        return "";
    }

    private String bits(PathBlock block, int cum) {
        int base = cum + block.sackOffset();
        int present = 64 * block.words();
        for (int offset = 0; offset < coverage; offset++) {
            int psn = base + offset;
            boolean isSet = offset < present && (block.bitmapWord(offset >>> 6) & (1L << offset)) != 0;
            boolean isSent = Serial32.isBefore(psn, nextPsn);
            if (isSet && !isSent) {
                return "R-ACK-007: path " + id + ": bit for slot " + psn + ", but the next slot is " + nextPsn;
            }
            if (!isSent) {
                return "";
            }
            if (isSet && !delivered.get(psn & mask)) {
                return "R-SACK-002: path " + id + ": bit for slot " + psn + ", which never arrived";
            }
            if (isSet && psn == cum) {
                return "R-SACK-001: path " + id + ": CumPSN " + cum + " itself is reported as accepted";
            }
            if (!isSet && reported.get(psn & mask)) {
                return "R-SACK-003: path " + id + ": the bit of slot " + psn + " was set and is withdrawn";
            }
            if (isSet) {
                reported.set(psn & mask);
            }
        }
        return "";
    }

    /** Stamps turn: what seems to come after the last may have been sent a turn before. */
    private boolean mayBeSent(int stamp) {
        long ageStamps = StampClock.whole((lastSentPs - firstSentPs) / SimTime.ofNs(1));
        return !Serial32.isAfter(stamp, lastStamp)
                || Integer.toUnsignedLong(lastStamp - stamp) <= ageStamps + STAMPS_AHEAD;
    }

    private String echo(PathBlock block) {
        int stamp = block.echoStamp();
        if (hasEcho && stamp == echo) {
            return "";
        }
        if (hasSent && !mayBeSent(stamp)) {
            return "R-ACK-007: path " + id + ": echo of stamp " + stamp + ", the last one sent is " + lastStamp;
        }
        // R-PATH-019: after a silence the receiver takes the next stamp whatever it had.
        boolean isYoung = !hasRested && lastSentPs - echoAtPs < STAMP_AMNESTY_PS;
        if (hasEcho && isYoung && Serial32.isBefore(stamp, echo)) {
            return "R-PATH-013: path " + id + ": echo " + stamp + " after " + echo;
        }
        hasEcho = hasSent;
        hasRested = false;
        echo = stamp;
        echoAtPs = lastSentPs;
        return "";
    }

    private static boolean isWithdrawn(PacketView view) {
        int opcode = view.opcode();
        return opcode >= Opcode.READ_RESP
                ? opcode == Opcode.READ_RESP && view.readResponse().status() != 0
                : view.message().isWithdrawn();
    }

    // Everything that a resend repeats: opcode, ConnId, PSN and the fixed headers without their mutable fields.
    private static long headerHash(PacketView view) {
        ByteBuffer bytes = view.buffer();
        int at = view.datagram().offset();
        int opcode = view.opcode();
        long h = SplitMix64.mix(((long) opcode << 32) | (view.base().dstConnId() & 0xFFFF_FFFFL));
        int end = Opcode.headerLength(opcode);
        for (int i = BaseHeader.LENGTH; i < end; i++) {
            h = SplitMix64.mix(h + immutable(opcode, i, bytes.get(at + i)));
        }
        return h;
    }

    private static int immutable(int opcode, int offset, byte value) {
        if (opcode >= Opcode.READ_RESP) {
            boolean isMutable = opcode == Opcode.READ_RESP && (offset == RESPONSE_STATUS || offset == RESPONSE_DEMAND);
            return isMutable ? 0 : value;
        }
        if (offset == MESSAGE_FLAGS) {
            return value & ~WITHDRAWN;
        }
        boolean isHint = opcode == Opcode.READ_REQ && offset >= READ_HINT && offset < READ_HINT_END;
        return isHint || offset == DEMAND ? 0 : value;
    }

    private static long payloadHash(PacketView view) {
        ByteBuffer bytes = view.buffer();
        int at = view.payloadOffset();
        int end = at + view.payloadLength();
        long h = view.payloadLength();
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            h = (h ^ bytes.getLong(at)) * 0x9E3779B97F4A7C15L;
            h ^= h >>> 29;
        }
        for (; at < end; at++) {
            h = SplitMix64.mix(h + bytes.get(at));
        }
        return h;
    }

    /** One bit per slot of the window. */
    private static final class BitRow {
        private final long[] words;

        BitRow(int bits) {
            words = new long[bits >>> 6];
        }

        boolean get(int i) {
            return (words[i >>> 6] & (1L << i)) != 0;
        }

        void set(int i) {
            words[i >>> 6] |= 1L << i;
        }

        void clear(int i) {
            words[i >>> 6] &= ~(1L << i);
        }
    }
}
