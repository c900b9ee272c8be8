package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Transmit;
import io.metaroce.param.EndpointConfig;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import org.jspecify.annotations.Nullable;

/** The last word of an initiator: CONN_CONFIRM, due with the acceptance and with every repetition of it. */
final class Confirmation implements LastWord {
    private final EndpointConfig config;
    private final HandshakePackets packets;
    private final long nonce;
    private Address to;
    private int respConnId;
    private boolean isDue = true;

    /** One for the acceptance that has made the connection. */
    Confirmation(EndpointConfig config, HandshakePackets packets, long nonce, Address to, int respConnId) {
        this.config = config;
        this.packets = packets;
        this.nonce = nonce;
        this.to = to;
        this.respConnId = respConnId;
    }

    @Override
    public @Nullable DropReason onPacket(PacketView packet, ConnectionState state) {
        return switch (packet.opcode()) {
            case Opcode.CONN_RETRY, Opcode.CONN_REJECT, Opcode.VERSION_NEG -> DropReason.STATE;
            case Opcode.CONN_ACCEPT -> state == ConnectionState.TOMBSTONE ? DropReason.STATE : onAccept(packet);
            case Opcode.CONN_CONFIRM -> DropReason.HANDSHAKE;
            default -> DropReason.UNEXPECTED;
        };
    }

    /** A repeated acceptance is confirmed again. */
    private @Nullable DropReason onAccept(PacketView packet) {
        ConnectParameters peer = Terms.accepted(config, nonce, packet);
        Address first = peer == null ? null : Terms.first(peer);
        if (first == null) {
            return DropReason.HANDSHAKE;
        }
        to = first;
        respConnId = packet.connectAccept().respConnId();
        isDue = true;
        return null;
    }

    @Override
    public boolean answers(int initConnId, long itsNonce) {
        return false;
    }

    @Override
    public void onRepeatedRequest() {
        // Requests are answered by responders.
    }

    @Override
    public boolean isDue() {
        return isDue;
    }

    @Override
    public void write(Transmit out, Seal seal) {
        isDue = false;
        packets.confirm(out, to, respConnId, nonce, seal);
    }
}
