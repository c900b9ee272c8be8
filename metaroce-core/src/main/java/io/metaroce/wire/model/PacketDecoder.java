package io.metaroce.wire.model;

import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.PathBlock;
import io.metaroce.wire.StreamUpdate;
import io.metaroce.wire.Tlv;
import java.util.ArrayList;
import java.util.List;

/** Bytes to packets. */
final class PacketDecoder {
    private final PacketView view;
    private final Packet.Header header;
    private final List<Packet.Option> options;

    private PacketDecoder(PacketView view) {
        this.view = view;
        var base = view.base();
        header = new Packet.Header(
                base.flags(), base.pathId(), base.pathEpoch(), base.dstConnId(), base.psn(), base.txStamp());
        options = options(view);
    }

    static Packet decode(PacketView view) {
        PacketDecoder decoder = new PacketDecoder(view);
        return Opcode.isSlot(view.opcode()) ? decoder.slot() : decoder.other();
    }

    private Packet slot() {
        return switch (view.opcode()) {
            case Opcode.WRITE -> {
                var w = view.write();
                yield new Packet.Write(
                        header, message(), w.rkey(), w.messageLength(), w.remoteAddress(), options, payload());
            }
            case Opcode.WRITE_IMM -> {
                var w = view.write();
                yield new Packet.WriteImmediate(
                        header,
                        message(),
                        w.rkey(),
                        w.messageLength(),
                        w.remoteAddress(),
                        w.rsn(),
                        w.immediate(),
                        options,
                        payload());
            }
            case Opcode.SEND -> {
                var s = view.send();
                yield new Packet.Send(header, message(), s.rsn(), s.messageLength(), options, payload());
            }
            case Opcode.SEND_IMM -> {
                var s = view.send();
                yield new Packet.SendImmediate(
                        header, message(), s.rsn(), s.messageLength(), s.immediate(), options, payload());
            }
            case Opcode.SEND_INV -> {
                var s = view.send();
                yield new Packet.SendInvalidate(
                        header, message(), s.rsn(), s.messageLength(), s.invalidateRkey(), options, payload());
            }
            case Opcode.READ_REQ -> {
                var r = view.readRequest();
                yield new Packet.ReadRequest(
                        header,
                        message(),
                        r.rkey(),
                        r.length(),
                        r.remoteAddress(),
                        r.rdTag(),
                        r.rateHint(),
                        r.hintSeq(),
                        options);
            }
            case Opcode.ATOMIC_REQ -> {
                var a = view.atomicRequest();
                yield new Packet.AtomicRequest(
                        header,
                        message(),
                        a.rkey(),
                        a.atTag(),
                        a.remoteAddress(),
                        a.op(),
                        a.size(),
                        a.operandA(),
                        a.operandB(),
                        options);
            }
            case Opcode.READ_RESP -> {
                var r = view.readResponse();
                yield new Packet.ReadResponse(
                        header, r.rdTag(), r.offset(), r.totLen(), r.status(), r.demand(), options, payload());
            }
            case Opcode.ATOMIC_RESP -> {
                var a = view.atomicResponse();
                yield new Packet.AtomicResponse(header, a.atTag(), a.status(), a.original(), options);
            }
            case Opcode.STATUS_RESP -> {
                var s = view.statusResponse();
                yield new Packet.StatusResponse(header, s.tag(), s.code(), s.kind(), options);
            }
            default -> throw new IllegalStateException("no record for opcode " + Opcode.name(view.opcode()));
        };
    }

    private Packet other() {
        return switch (view.opcode()) {
            case Opcode.ACK -> {
                var a = view.ack();
                yield new Packet.Ack(
                        header, a.rateHint(), a.planeUp(), a.rxBytes(), a.ackFlags(), blocks(), updates(), options);
            }
            case Opcode.NAK -> {
                var n = view.nak();
                yield new Packet.Nak(
                        header,
                        n.code(),
                        n.streamId(),
                        n.msn(),
                        n.rsnLimit(),
                        n.slotPsn(),
                        n.slotPath(),
                        n.attempt(),
                        n.retryDelay(),
                        options);
            }
            case Opcode.PROBE -> {
                var p = view.probe();
                yield new Packet.Probe(header, p.flags(), p.plane(), p.challenge(), options, view.payloadLength());
            }
            case Opcode.CREDIT -> new Packet.Credit(header, updates(), options);
            case Opcode.STREAM_QUERY -> new Packet.StreamQuery(header, streamEntries(), options);
            case Opcode.STREAM_STATUS -> new Packet.StreamStatus(header, updates(), options);
            case Opcode.PLANE_STATUS -> {
                var p = view.planeStatus();
                yield new Packet.PlaneStatus(header, p.planeUp(), p.changed(), options);
            }
            default -> life();
        };
    }

    private Packet life() {
        return switch (view.opcode()) {
            case Opcode.CONN_REQ -> {
                var c = view.connectRequest();
                yield new Packet.ConnectRequest(
                        header, c.initConnId(), c.serviceId(), c.nonce(), c.versions(), options, view.payloadLength());
            }
            case Opcode.CONN_RETRY -> {
                var c = view.connectRetry();
                yield new Packet.ConnectRetry(header, c.nonce(), Bytes.of(c.cookie()), options);
            }
            case Opcode.CONN_ACCEPT -> {
                var c = view.connectAccept();
                yield new Packet.ConnectAccept(header, c.nonce(), c.respConnId(), c.version(), options);
            }
            case Opcode.CONN_REJECT -> {
                var c = view.connectReject();
                yield new Packet.ConnectReject(header, c.nonce(), c.reason(), options);
            }
            case Opcode.CONN_CONFIRM ->
                new Packet.ConnectConfirm(header, view.connectConfirm().nonce(), options);
            case Opcode.VERSION_NEG -> {
                var v = view.versionNegotiation();
                yield new Packet.VersionNegotiation(header, v.nonce(), v.versions(), options);
            }
            case Opcode.CLOSE -> {
                var c = view.close();
                yield new Packet.Close(header, c.code(), c.flags(), c.closeId(), options);
            }
            case Opcode.CLOSE_ACK -> {
                var c = view.close();
                yield new Packet.CloseAck(header, c.code(), c.flags(), c.closeId(), options);
            }
            case Opcode.RESET -> {
                var r = view.reset();
                yield new Packet.Reset(header, r.deadConnId(), Bytes.of(r.token()), options);
            }
            default -> throw new IllegalStateException("no record for opcode " + Opcode.name(view.opcode()));
        };
    }

    private Packet.Message message() {
        var m = view.message();
        return new Packet.Message(m.streamId(), m.attempt(), m.messageFlags(), m.demand(), m.msn(), m.messageOffset());
    }

    private Bytes payload() {
        return Bytes.of(view.buffer(), view.payloadOffset(), view.payloadLength());
    }

    private List<Packet.Block> blocks() {
        List<Packet.Block> blocks = new ArrayList<>();
        for (int i = 0; i < view.pathBlockCount(); i++) {
            PathBlock b = view.pathBlock(i);
            List<Long> bitmap = new ArrayList<>();
            for (int word = 0; word < b.words(); word++) {
                bitmap.add(b.bitmapWord(word));
            }
            blocks.add(new Packet.Block(
                    b.pathId(),
                    b.epoch(),
                    b.flags(),
                    b.cumPsn(),
                    b.echoStamp(),
                    b.ackDelay(),
                    b.sackOffset(),
                    b.rxPackets(),
                    b.cePackets(),
                    b.duplicates(),
                    List.copyOf(bitmap)));
        }
        return List.copyOf(blocks);
    }

    private List<Packet.Update> updates() {
        List<Packet.Update> updates = new ArrayList<>();
        for (int i = 0; i < view.streamUpdateCount(); i++) {
            StreamUpdate u = view.streamUpdate(i);
            updates.add(new Packet.Update(u.streamId(), u.flags(), u.code(), u.nextMsn(), u.rsnLimit()));
        }
        return List.copyOf(updates);
    }

    private List<Packet.StreamEntry> streamEntries() {
        var q = view.streamQuery();
        List<Packet.StreamEntry> entries = new ArrayList<>();
        for (int i = 0; i < q.count(); i++) {
            entries.add(new Packet.StreamEntry(q.streamId(i)));
        }
        return List.copyOf(entries);
    }

    /** The options without their end. */
    private static List<Packet.Option> options(PacketView view) {
        List<Packet.Option> options = new ArrayList<>();
        int end = view.tlvEnd() - Tlv.WORD_LENGTH;
        int at = view.tlvOffset();
        while (at < end) {
            int length = Tlv.lengthBytes(view.buffer(), at);
            Bytes value = Bytes.of(view.buffer(), at + Tlv.VALUE, length - Tlv.VALUE);
            options.add(new Packet.Option(Tlv.type(view.buffer(), at), value));
            at += length;
        }
        return List.copyOf(options);
    }
}
