package io.metaroce.wire.model;

import io.metaroce.wire.AckHeader;
import io.metaroce.wire.AtomicRequestHeader;
import io.metaroce.wire.AtomicResponseHeader;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.CloseHeader;
import io.metaroce.wire.ConnectAccept;
import io.metaroce.wire.ConnectConfirm;
import io.metaroce.wire.ConnectReject;
import io.metaroce.wire.ConnectRequest;
import io.metaroce.wire.ConnectRetry;
import io.metaroce.wire.Crc32cTrailer;
import io.metaroce.wire.MessageHeader;
import io.metaroce.wire.NakHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PathBlock;
import io.metaroce.wire.PlaneStatus;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.ReadRequestHeader;
import io.metaroce.wire.ReadResponseHeader;
import io.metaroce.wire.ResetHeader;
import io.metaroce.wire.SendHeader;
import io.metaroce.wire.StatusResponseHeader;
import io.metaroce.wire.StreamList;
import io.metaroce.wire.StreamQuery;
import io.metaroce.wire.StreamUpdate;
import io.metaroce.wire.Tlv;
import io.metaroce.wire.VersionNegotiation;
import io.metaroce.wire.WriteHeader;
import java.nio.ByteBuffer;
import java.util.List;

/** Packets to bytes. */
final class PacketEncoder {
    private static final int PACKET_BYTES_MAX = 65_507; // what UDP over IPv4 can carry
    private static final int COUNT_MAX = 255;

    private final ByteBuffer buffer = ByteBuffer.allocate(PACKET_BYTES_MAX);
    private final Crc32cTrailer trailer = new Crc32cTrailer();
    private int at; // what has been written ends here

    byte[] encode(Packet packet, int seed) {
        Packet.Header h = packet.header();
        new BaseHeader()
                .wrap(buffer, 0)
                .begin(packet.opcode())
                .flags(h.flags())
                .pathId(h.pathId())
                .pathEpoch(h.pathEpoch())
                .dstConnId(h.dstConnId())
                .psn(h.psn())
                .txStamp(h.txStamp());
        at = Opcode.headerLength(packet.opcode());
        if (Opcode.isSlot(packet.opcode())) {
            slot(packet);
        } else {
            other(packet);
        }
        buffer.putInt(at, trailer.of(seed, buffer, 0, at, buffer, 0, 0));
        return Bytes.of(buffer, 0, at + Crc32cTrailer.LENGTH).toArray();
    }

    private void slot(Packet packet) {
        switch (packet.opcode()) {
            case Opcode.WRITE -> {
                Packet.Write p = (Packet.Write) packet;
                message(p.message());
                write(p.rkey(), p.messageLength(), p.remoteAddress());
                rest(packet, p.payload());
            }
            case Opcode.WRITE_IMM -> {
                Packet.WriteImmediate p = (Packet.WriteImmediate) packet;
                message(p.message());
                write(p.rkey(), p.messageLength(), p.remoteAddress())
                        .rsn(p.rsn())
                        .immediate(p.immediate());
                rest(packet, p.payload());
            }
            case Opcode.SEND -> {
                Packet.Send p = (Packet.Send) packet;
                message(p.message());
                send(p.rsn(), p.messageLength());
                rest(packet, p.payload());
            }
            case Opcode.SEND_IMM -> {
                Packet.SendImmediate p = (Packet.SendImmediate) packet;
                message(p.message());
                send(p.rsn(), p.messageLength()).immediate(p.immediate());
                rest(packet, p.payload());
            }
            case Opcode.SEND_INV -> {
                Packet.SendInvalidate p = (Packet.SendInvalidate) packet;
                message(p.message());
                send(p.rsn(), p.messageLength()).invalidateRkey(p.invalidateRkey());
                rest(packet, p.payload());
            }
            case Opcode.READ_RESP -> {
                Packet.ReadResponse p = (Packet.ReadResponse) packet;
                new ReadResponseHeader()
                        .wrap(buffer, 0)
                        .rdTag(p.rdTag())
                        .offset(p.offset())
                        .totLen(p.totLen())
                        .status(p.status())
                        .demand(p.demand());
                rest(packet, p.payload());
            }
            default -> {
                slotWithoutPayload(packet);
                options(packet);
            }
        }
    }

    private void slotWithoutPayload(Packet packet) {
        switch (packet.opcode()) {
            case Opcode.READ_REQ -> {
                Packet.ReadRequest p = (Packet.ReadRequest) packet;
                message(p.message());
                new ReadRequestHeader()
                        .wrap(buffer, 0)
                        .rkey(p.rkey())
                        .length(p.length())
                        .remoteAddress(p.remoteAddress())
                        .rdTag(p.rdTag())
                        .rateHint(p.rateHint())
                        .hintSeq(p.hintSeq());
            }
            case Opcode.ATOMIC_REQ -> {
                Packet.AtomicRequest p = (Packet.AtomicRequest) packet;
                message(p.message());
                new AtomicRequestHeader()
                        .wrap(buffer, 0)
                        .rkey(p.rkey())
                        .atTag(p.atTag())
                        .remoteAddress(p.remoteAddress())
                        .op(p.op())
                        .size(p.size())
                        .operandA(p.operandA())
                        .operandB(p.operandB());
            }
            case Opcode.ATOMIC_RESP -> {
                Packet.AtomicResponse p = (Packet.AtomicResponse) packet;
                new AtomicResponseHeader()
                        .wrap(buffer, 0)
                        .atTag(p.atTag())
                        .status(p.status())
                        .original(p.original());
            }
            case Opcode.STATUS_RESP -> {
                Packet.StatusResponse p = (Packet.StatusResponse) packet;
                new StatusResponseHeader()
                        .wrap(buffer, 0)
                        .tag(p.tag())
                        .code(p.code())
                        .kind(p.kind());
            }
            default -> throw new IllegalArgumentException("no form for opcode " + Opcode.name(packet.opcode()));
        }
    }

    private void other(Packet packet) {
        switch (packet.opcode()) {
            case Opcode.ACK -> {
                ack((Packet.Ack) packet);
                options(packet);
            }
            case Opcode.PROBE -> {
                Packet.Probe p = (Packet.Probe) packet;
                new ProbeHeader()
                        .wrap(buffer, 0)
                        .flags(p.probeFlags())
                        .plane(p.plane())
                        .challenge(p.challenge());
                options(packet);
                zeros(p.padding());
            }
            case Opcode.CREDIT -> {
                streamList(((Packet.Credit) packet).streamUpdates());
                options(packet);
            }
            case Opcode.STREAM_STATUS -> {
                streamList(((Packet.StreamStatus) packet).streamUpdates());
                options(packet);
            }
            case Opcode.STREAM_QUERY -> {
                streamEntries(((Packet.StreamQuery) packet).streams());
                options(packet);
            }
            case Opcode.CONN_REQ -> {
                Packet.ConnectRequest p = (Packet.ConnectRequest) packet;
                new ConnectRequest()
                        .wrap(buffer, 0)
                        .initConnId(p.initConnId())
                        .serviceId(p.serviceId())
                        .nonce(p.nonce())
                        .versions(p.versions());
                options(packet);
                zeros(p.padding());
            }
            default -> {
                small(packet);
                options(packet);
            }
        }
    }

    /** Packets that are a header and options, nothing else. */
    private void small(Packet packet) {
        switch (packet.opcode()) {
            case Opcode.NAK -> {
                Packet.Nak p = (Packet.Nak) packet;
                new NakHeader()
                        .wrap(buffer, 0)
                        .code(p.code())
                        .streamId(p.streamId())
                        .msn(p.msn())
                        .rsnLimit(p.rsnLimit())
                        .slotPsn(p.slotPsn())
                        .slotPath(p.slotPath())
                        .attempt(p.attempt())
                        .retryDelay(p.retryDelay());
            }
            case Opcode.PLANE_STATUS -> {
                Packet.PlaneStatus p = (Packet.PlaneStatus) packet;
                new PlaneStatus().wrap(buffer, 0).planeUp(p.planeUp()).changed(p.changed());
            }
            case Opcode.CONN_RETRY -> {
                Packet.ConnectRetry p = (Packet.ConnectRetry) packet;
                new ConnectRetry()
                        .wrap(buffer, 0)
                        .nonce(p.nonce())
                        .cookie(p.cookie().toArray());
            }
            case Opcode.CONN_ACCEPT -> {
                Packet.ConnectAccept p = (Packet.ConnectAccept) packet;
                new ConnectAccept()
                        .wrap(buffer, 0)
                        .nonce(p.nonce())
                        .respConnId(p.respConnId())
                        .version(p.chosenVersion());
            }
            case Opcode.CONN_REJECT -> {
                Packet.ConnectReject p = (Packet.ConnectReject) packet;
                new ConnectReject().wrap(buffer, 0).nonce(p.nonce()).reason(p.reason());
            }
            case Opcode.CONN_CONFIRM ->
                new ConnectConfirm().wrap(buffer, 0).nonce(((Packet.ConnectConfirm) packet).nonce());
            case Opcode.VERSION_NEG -> {
                Packet.VersionNegotiation p = (Packet.VersionNegotiation) packet;
                new VersionNegotiation().wrap(buffer, 0).nonce(p.nonce()).versions(p.versions());
            }
            case Opcode.CLOSE -> {
                Packet.Close p = (Packet.Close) packet;
                close(p.code(), p.closeFlags(), p.closeId());
            }
            case Opcode.CLOSE_ACK -> {
                Packet.CloseAck p = (Packet.CloseAck) packet;
                close(p.code(), p.closeFlags(), p.closeId());
            }
            case Opcode.RESET -> {
                Packet.Reset p = (Packet.Reset) packet;
                new ResetHeader()
                        .wrap(buffer, 0)
                        .deadConnId(p.deadConnId())
                        .token(p.token().toArray());
            }
            default -> throw new IllegalArgumentException("no form for opcode " + Opcode.name(packet.opcode()));
        }
    }

    private void message(Packet.Message m) {
        new MessageHeader()
                .wrap(buffer, 0)
                .streamId(m.streamId())
                .attempt(m.attempt())
                .messageFlags(m.messageFlags())
                .demand(m.demand())
                .msn(m.msn())
                .messageOffset(m.messageOffset());
    }

    private WriteHeader write(int rkey, int messageLength, long remoteAddress) {
        return new WriteHeader()
                .wrap(buffer, 0)
                .rkey(rkey)
                .messageLength(messageLength)
                .remoteAddress(remoteAddress);
    }

    private SendHeader send(int rsn, int messageLength) {
        return new SendHeader().wrap(buffer, 0).rsn(rsn).messageLength(messageLength);
    }

    private void close(int code, int flags, int closeId) {
        new CloseHeader().wrap(buffer, 0).code(code).flags(flags).closeId(closeId);
    }

    private void ack(Packet.Ack p) {
        new AckHeader()
                .wrap(buffer, 0)
                .rateHint(p.rateHint())
                .planeUp(p.planeUp())
                .rxBytes(p.rxBytes())
                .pathBlockCount(count(p.pathBlocks()))
                .streamUpdateCount(count(p.streamUpdates()))
                .ackFlags(p.ackFlags());
        for (Packet.Block b : p.pathBlocks()) {
            block(b);
        }
        updates(p.streamUpdates());
    }

    private void block(Packet.Block b) {
        PathBlock block = new PathBlock()
                .wrap(buffer, at)
                .pathId(b.pathId())
                .epoch(b.epoch())
                .flags(b.flags())
                .words(b.bitmap().size())
                .cumPsn(b.cumPsn())
                .echoStamp(b.echoStamp())
                .ackDelay(b.ackDelay())
                .sackOffset(b.sackOffset())
                .rxPackets(b.rxPackets())
                .cePackets(b.cePackets())
                .duplicates(b.duplicates());
        for (int i = 0; i < b.bitmap().size(); i++) {
            block.bitmapWord(i, b.bitmap().get(i));
        }
        at += block.lengthBytes();
    }

    private void streamList(List<Packet.Update> updates) {
        new StreamList().wrap(buffer, 0).count(count(updates));
        updates(updates);
    }

    private void updates(List<Packet.Update> updates) {
        for (Packet.Update u : updates) {
            new StreamUpdate()
                    .wrap(buffer, at)
                    .streamId(u.streamId())
                    .flags(u.flags())
                    .code(u.code())
                    .nextMsn(u.nextMsn())
                    .rsnLimit(u.rsnLimit());
            at += StreamUpdate.LENGTH;
        }
    }

    private void streamEntries(List<Packet.StreamEntry> entries) {
        StreamQuery view = new StreamQuery().wrap(buffer, 0).count(count(entries));
        for (int i = 0; i < entries.size(); i++) {
            view.streamId(i, entries.get(i).streamId());
        }
        at += entries.size() * StreamQuery.ENTRY_LENGTH;
    }

    private void rest(Packet packet, Bytes payload) {
        options(packet);
        buffer.put(at, payload.toArray());
        at += payload.length();
    }

    private void options(Packet packet) {
        boolean hasChain = (packet.header().flags() & BaseHeader.X) != 0 || Opcode.alwaysHasOptions(packet.opcode());
        if (!hasChain) {
            if (!packet.options().isEmpty()) {
                throw new IllegalArgumentException(Opcode.name(packet.opcode()) + " has options but not flag X");
            }
            return;
        }
        for (Packet.Option option : packet.options()) {
            option(option);
        }
        at += Tlv.writeEnd(buffer, at);
    }

    private void option(Packet.Option option) {
        int length = Tlv.VALUE + option.value().length();
        if (length % Tlv.WORD_LENGTH != 0 || length / Tlv.WORD_LENGTH > COUNT_MAX) {
            throw new IllegalArgumentException(
                    "an option of " + length + " bytes is not 1 to " + COUNT_MAX + " whole words");
        }
        buffer.put(at, (byte) option.type());
        buffer.put(at + 1, (byte) (length / Tlv.WORD_LENGTH));
        buffer.put(at + Tlv.VALUE, option.value().toArray());
        at += length;
    }

    private void zeros(int count) {
        buffer.put(at, new byte[count]);
        at += count;
    }

    private static int count(List<?> list) {
        if (list.size() > COUNT_MAX) {
            throw new IllegalArgumentException(list.size() + " entries: a count says " + COUNT_MAX + " at most");
        }
        return list.size();
    }
}
