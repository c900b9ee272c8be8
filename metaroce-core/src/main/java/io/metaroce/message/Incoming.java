package io.metaroce.message;

import io.metaroce.connection.PacketSink;
import io.metaroce.connection.UpdateSink;
import io.metaroce.wire.NakHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.StreamUpdate;

/**
 * What arrives for the streams of one connection: requests go to the responder, responses to whoever has asked, the
 * news of the peer's streams to the completer.
 */
final class Incoming implements PacketSink, UpdateSink {
    private final Streams streams;
    private final Workshop steps;

    Incoming(Streams streams, Workshop steps) {
        this.streams = streams;
        this.steps = steps;
    }

    @Override
    public Urgency accept(long nowNs, PacketView packet) {
        return packet.opcode() >= Opcode.READ_RESP
                ? steps.reader.accept(nowNs, streams, packet)
                : steps.responder.accept(nowNs, streams, packet);
    }

    @Override
    public void onUpdate(long nowNs, StreamUpdate update, Freshness freshness) {
        steps.completer.onUpdate(nowNs, streams, update, freshness);
    }

    @Override
    public void onReportRead(long nowNs) {
        steps.timers.watchDelivered(nowNs, streams);
    }

    @Override
    public void onNak(long nowNs, NakHeader nak, Freshness freshness) {
        steps.completer.onNak(nowNs, streams, nak, freshness);
    }
}
