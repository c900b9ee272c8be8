package io.metaroce.message;

import io.metaroce.connection.PacketSink;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;

/** Accepted data packets: requests go to the responder, responses to whoever has asked. */
final class Incoming implements PacketSink {
    private final Responder responder;
    private final ResponseReader reader;

    Incoming(Responder responder, ResponseReader reader) {
        this.responder = responder;
        this.reader = reader;
    }

    @Override
    public Urgency accept(long nowNs, PacketView packet) {
        return packet.opcode() >= Opcode.READ_RESP ? reader.accept(nowNs, packet) : responder.accept(nowNs, packet);
    }
}
