package io.metaroce.wire.model;

import io.metaroce.num.Minifloat;
import io.metaroce.wire.AckHeader;
import io.metaroce.wire.AtomicRequestHeader;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.MessageHeader;
import io.metaroce.wire.NakCode;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PathBlock;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.StatusResponseHeader;
import io.metaroce.wire.StreamUpdate;
import java.util.Locale;

/**
 * A packet as one line, in the manner of tcpdump.
 *
 * <pre>
 * WRITE c0ffee01 path 3.7 psn 77 [RA] stream 5 msn 9 at 8192 of 12288 to 1207:7f1234567000, 4096 bytes
 * ACK c0ffee01 seq 12 hint 400 Mbit/s planes 0003 {3.7 cum 80 echo 00abcdef sack 82-84,90} {stream 5 next 9 open}
 * </pre>
 */
public final class PacketPrinter {
    private static final int WORD_BITS = 64;

    private final StringBuilder out = new StringBuilder();

    private PacketPrinter() {}

    /** The line for {@code packet}, without line end. */
    public static String line(Packet packet) {
        PacketPrinter printer = new PacketPrinter();
        printer.header(packet);
        if (Opcode.isSlot(packet.opcode())) {
            printer.slot(packet);
        } else {
            printer.other(packet);
        }
        for (Packet.Option option : packet.options()) {
            printer.add(" +%02x:%s", option.type(), option.value());
        }
        return printer.out.toString();
    }

    private void header(Packet packet) {
        Packet.Header h = packet.header();
        int opcode = packet.opcode();
        add("%s %08x", Opcode.name(opcode), h.dstConnId());
        if (Opcode.isSlot(opcode) || opcode == Opcode.PROBE) {
            add(" path %d.%d psn %s", h.pathId(), h.pathEpoch(), u(h.psn()));
        } else if (Opcode.isReport(opcode)) {
            add(" seq %s", u(h.psn()));
        }
        flags(h.flags(), "MRAX", BaseHeader.M, BaseHeader.R, BaseHeader.A, BaseHeader.X);
    }

    private void slot(Packet packet) {
        switch (packet.opcode()) {
            case Opcode.WRITE -> {
                Packet.Write p = (Packet.Write) packet;
                message(p.message(), p.messageLength());
                add(
                        " to %x:%x, %d bytes",
                        p.rkey(), p.remoteAddress(), p.payload().length());
            }
            case Opcode.WRITE_IMM -> {
                Packet.WriteImmediate p = (Packet.WriteImmediate) packet;
                message(p.message(), p.messageLength());
                add(" to %x:%x rsn %s imm %08x", p.rkey(), p.remoteAddress(), u(p.rsn()), p.immediate());
                add(", %d bytes", p.payload().length());
            }
            case Opcode.SEND -> {
                Packet.Send p = (Packet.Send) packet;
                message(p.message(), p.messageLength());
                add(" rsn %s, %d bytes", u(p.rsn()), p.payload().length());
            }
            case Opcode.SEND_IMM -> {
                Packet.SendImmediate p = (Packet.SendImmediate) packet;
                message(p.message(), p.messageLength());
                add(
                        " rsn %s imm %08x, %d bytes",
                        u(p.rsn()), p.immediate(), p.payload().length());
            }
            case Opcode.SEND_INV -> {
                Packet.SendInvalidate p = (Packet.SendInvalidate) packet;
                message(p.message(), p.messageLength());
                add(
                        " rsn %s invalidate %x, %d bytes",
                        u(p.rsn()), p.invalidateRkey(), p.payload().length());
            }
            case Opcode.READ_REQ -> {
                Packet.ReadRequest p = (Packet.ReadRequest) packet;
                message(p.message(), p.length());
                add(" from %x:%x tag %s hint %s", p.rkey(), p.remoteAddress(), u(p.rdTag()), hint(p.rateHint()));
            }
            case Opcode.ATOMIC_REQ -> {
                Packet.AtomicRequest p = (Packet.AtomicRequest) packet;
                message(p.message(), p.size());
                add(" %s %x:%x tag %s", operation(p.op()), p.rkey(), p.remoteAddress(), u(p.atTag()));
                add(" a %x b %x", p.operandA(), p.operandB());
            }
            default -> response(packet);
        }
    }

    private void response(Packet packet) {
        switch (packet.opcode()) {
            case Opcode.READ_RESP -> {
                Packet.ReadResponse p = (Packet.ReadResponse) packet;
                add(" tag %s at %s of %s%s", u(p.rdTag()), u(p.offset()), u(p.totLen()), status(p.status()));
                add(", %d bytes", p.payload().length());
            }
            case Opcode.ATOMIC_RESP -> {
                Packet.AtomicResponse p = (Packet.AtomicResponse) packet;
                add(" tag %s was %x%s", u(p.atTag()), p.original(), status(p.status()));
            }
            case Opcode.STATUS_RESP -> {
                Packet.StatusResponse p = (Packet.StatusResponse) packet;
                String kind = p.kind() == StatusResponseHeader.READ ? "read" : "atomic";
                add(" %s tag %s%s", kind, u(p.tag()), status(p.code()));
            }
            default -> throw new IllegalArgumentException("no line for opcode " + Opcode.name(packet.opcode()));
        }
    }

    private void other(Packet packet) {
        switch (packet.opcode()) {
            case Opcode.ACK -> ack((Packet.Ack) packet);
            case Opcode.NAK -> {
                Packet.Nak p = (Packet.Nak) packet;
                add(" %s stream %d msn %s.%d", NakCode.name(p.code()), p.streamId(), u(p.msn()), p.attempt());
                add(" limit %s slot %d:%s", u(p.rsnLimit()), p.slotPath(), u(p.slotPsn()));
                add(" retry %d us", Minifloat.decodeRetryDelay(p.retryDelay()) / 1000);
            }
            case Opcode.PROBE -> {
                Packet.Probe p = (Packet.Probe) packet;
                flags(
                        p.probeFlags(),
                        "TCKP",
                        ProbeHeader.IN_PATH,
                        ProbeHeader.CHALLENGE,
                        ProbeHeader.KEEPALIVE,
                        ProbeHeader.PADDED);
                add(" plane %d challenge %016x, %d bytes", p.plane(), p.challenge(), p.padding());
            }
            case Opcode.CREDIT -> ((Packet.Credit) packet).streamUpdates().forEach(this::update);
            case Opcode.STREAM_STATUS ->
                ((Packet.StreamStatus) packet).streamUpdates().forEach(this::update);
            case Opcode.STREAM_QUERY ->
                ((Packet.StreamQuery) packet).streams().forEach(s -> add(" stream %d", s.streamId()));
            case Opcode.PLANE_STATUS -> {
                Packet.PlaneStatus p = (Packet.PlaneStatus) packet;
                add(" planes %04x changed %04x", p.planeUp(), p.changed());
            }
            default -> life(packet);
        }
    }

    private void life(Packet packet) {
        switch (packet.opcode()) {
            case Opcode.CONN_REQ -> {
                Packet.ConnectRequest p = (Packet.ConnectRequest) packet;
                add(" from %08x service %d nonce %016x", p.initConnId(), p.serviceId(), p.nonce());
                add(" versions %04x, %d bytes", p.versions(), p.padding());
            }
            case Opcode.CONN_RETRY -> {
                Packet.ConnectRetry p = (Packet.ConnectRetry) packet;
                add(" nonce %016x cookie %s", p.nonce(), p.cookie());
            }
            case Opcode.CONN_ACCEPT -> {
                Packet.ConnectAccept p = (Packet.ConnectAccept) packet;
                add(" from %08x nonce %016x version %d", p.respConnId(), p.nonce(), p.chosenVersion());
            }
            case Opcode.CONN_REJECT -> {
                Packet.ConnectReject p = (Packet.ConnectReject) packet;
                add(" nonce %016x reason %d", p.nonce(), p.reason());
            }
            case Opcode.CONN_CONFIRM -> add(" nonce %016x", ((Packet.ConnectConfirm) packet).nonce());
            case Opcode.VERSION_NEG -> {
                Packet.VersionNegotiation p = (Packet.VersionNegotiation) packet;
                add(" nonce %016x versions %04x", p.nonce(), p.versions());
            }
            case Opcode.CLOSE -> {
                Packet.Close p = (Packet.Close) packet;
                add(" id %s code %x%s", u(p.closeId()), p.code(), p.closeFlags() == 0 ? "" : " abort");
            }
            case Opcode.CLOSE_ACK -> {
                Packet.CloseAck p = (Packet.CloseAck) packet;
                add(" id %s code %x%s", u(p.closeId()), p.code(), p.closeFlags() == 0 ? "" : " pending");
            }
            case Opcode.RESET -> {
                Packet.Reset p = (Packet.Reset) packet;
                add(" dead %08x token %s", p.deadConnId(), p.token());
            }
            default -> throw new IllegalArgumentException("no line for opcode " + Opcode.name(packet.opcode()));
        }
    }

    private void ack(Packet.Ack p) {
        add(
                " hint %s planes %04x received %d bytes",
                hint(p.rateHint()), p.planeUp(), Integer.toUnsignedLong(p.rxBytes()) * 64);
        flags(p.ackFlags(), "PS", AckHeader.PROBE_ANSWER, AckHeader.PAUSED);
        for (Packet.Block b : p.pathBlocks()) {
            add(" {%d.%d cum %s echo %08x", b.pathId(), b.epoch(), u(b.cumPsn()), b.echoStamp());
            flags(b.flags(), "GCO", PathBlock.GAP, PathBlock.MARKED, PathBlock.OUT_OF_WINDOW);
            sack(b);
            add(" rx %s ce %d dup %d}", u(b.rxPackets()), b.cePackets(), b.duplicates());
        }
        p.streamUpdates().forEach(this::update);
    }

    /** The bitmap as ranges of PSNs. */
    private void sack(Packet.Block b) {
        String separator = " sack ";
        int bits = b.bitmap().size() * WORD_BITS;
        int from = 0;
        while (from < bits) {
            if (!bit(b, from)) {
                from++;
                continue;
            }
            int to = from;
            while (to + 1 < bits && bit(b, to + 1)) {
                to++;
            }
            int first = b.cumPsn() + b.sackOffset();
            add("%s%s", separator, u(first + from));
            if (to > from) {
                add("-%s", u(first + to));
            }
            separator = ",";
            from = to + 1;
        }
    }

    private static boolean bit(Packet.Block b, int index) {
        return ((b.bitmap().get(index / WORD_BITS) >>> (index % WORD_BITS)) & 1) != 0;
    }

    private void update(Packet.Update u) {
        add(" {stream %d next %s", u.streamId(), u(u.nextMsn()));
        flags(
                u.flags(),
                "REVOQ",
                StreamUpdate.REFUSED,
                StreamUpdate.FAILED,
                StreamUpdate.LIMIT_VALID,
                StreamUpdate.OPEN,
                StreamUpdate.QUIET);
        if ((u.flags() & (StreamUpdate.REFUSED | StreamUpdate.FAILED)) != 0) {
            add(" code %d", u.code());
        }
        add((u.flags() & StreamUpdate.LIMIT_VALID) == 0 ? "}" : " limit %s}", u(u.rsnLimit()));
    }

    private void message(Packet.Message m, int length) {
        add(" stream %d msn %s.%d at %s of %s", m.streamId(), u(m.msn()), m.attempt(), u(m.messageOffset()), u(length));
        flags(
                m.messageFlags(),
                "SOUW",
                MessageHeader.SOLICITED,
                MessageHeader.ORDERED,
                MessageHeader.UNORDERED_OK,
                MessageHeader.WITHDRAWN);
    }

    /** The letters of the flags that are set, in brackets. */
    private void flags(int flags, String letters, int... masks) {
        StringBuilder set = new StringBuilder();
        for (int i = 0; i < masks.length; i++) {
            if ((flags & masks[i]) != 0) {
                set.append(letters.charAt(i));
            }
        }
        if (set.length() > 0) {
            out.append(" [").append(set).append(']');
        }
    }

    private static String hint(int code) {
        if (code == Minifloat.HINT_NONE) {
            return "none";
        }
        return Minifloat.isPause(code) ? "pause" : Minifloat.decodeHintKbit(code) + " kbit/s";
    }

    private static String status(int code) {
        return code == 0 ? "" : " " + NakCode.name(code);
    }

    private static String operation(int op) {
        return switch (op) {
            case AtomicRequestHeader.CAS -> "cas";
            case AtomicRequestHeader.FAA -> "faa";
            case AtomicRequestHeader.SWAP -> "swap";
            default -> "op " + op;
        };
    }

    private static String u(int value) {
        return Integer.toUnsignedString(value);
    }

    private void add(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values));
    }
}
