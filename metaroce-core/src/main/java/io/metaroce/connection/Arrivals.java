package io.metaroce.connection;

import io.metaroce.param.StreamError;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import org.jspecify.annotations.Nullable;

/** What an arriving packet means in the state that its connection is in. */
final class Arrivals {
    private final Handshaking handshaking;
    private final Parting parting;

    Arrivals(Handshaking handshaking, Parting parting) {
        this.handshaking = handshaking;
        this.parting = parting;
    }

    /** Takes a genuine packet. Returns why it was dropped, or null. */
    @Nullable
    DropReason onPacket(long nowNs, PacketView packet, Connection connection) {
        if (Opcode.isHandshake(packet.opcode())) {
            return handshaking.onPacket(nowNs, packet, connection);
        }
        handshaking.confirm(nowNs, connection);
        Traffic traffic = connection.traffic();
        if (traffic == null) {
            return onLatePacket(packet);
        }
        DropReason fault = onTraffic(nowNs, traffic, packet, connection);
        if (fault == DropReason.PROTOCOL || traffic.isWindowIgnored()) {
            // R-ERR-004: a peer that goes on sending beyond the window does not keep to the protocol.
            connection.protocolError(nowNs, traffic.isWindowIgnored() ? StreamError.WINDOW : StreamError.PROTO);
            return fault;
        }
        if (fault == null && connection.state() != ConnectionState.TOMBSTONE) {
            traffic.onHeard(nowNs);
        }
        parting.progress(nowNs, connection);
        return fault;
    }

    private @Nullable DropReason onTraffic(long nowNs, Traffic traffic, PacketView packet, Connection connection) {
        return switch (packet.opcode()) {
            case Opcode.NAK -> onNak(nowNs, traffic, packet, connection);
            case Opcode.CLOSE -> {
                parting.onClose(nowNs, packet.close(), connection);
                yield null;
            }
            case Opcode.CLOSE_ACK -> {
                parting.onCloseAnswer(nowNs, packet.close(), connection);
                yield null;
            }
            default -> traffic.onPacket(nowNs, packet);
        };
    }

    private static @Nullable DropReason onNak(long nowNs, Traffic traffic, PacketView packet, Connection connection) {
        DropReason fault = traffic.onNak(nowNs, packet);
        if (fault == null && packet.nak().code() == StreamError.UNSUPPORTED.code()) {
            // What the peer must understand it does not: nothing this side can do but end the connection.
            connection.protocolError(nowNs, StreamError.UNSUPPORTED);
        }
        return fault;
    }

    /** A packet for a connection that is gone, or not yet there: memory is never touched. */
    private @Nullable DropReason onLatePacket(PacketView packet) {
        // R-MEM-007: packets of a closed connection have no effect; a CLOSE is answered once more.
        boolean meaningful = switch (packet.opcode()) {
            case Opcode.CLOSE -> parting.onLateClose(packet.close());
            case Opcode.CLOSE_ACK -> parting.onLateAnswer();
            default -> false;
        };
        return meaningful ? null : DropReason.STATE;
    }
}
