package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last word of a responder: CONN_ACCEPT, due again with every repetition of the request. */
final class Acceptance implements LastWord {
    private static final byte[] NOTHING = new byte[0];

    private final Shared shared;
    private final HandshakePackets packets;
    private final Agreement agreement;
    private final long nonce;
    private final byte[] token;
    private final byte[] privateData;
    private final List<ConnectParameters.StreamOpen> streams;
    private boolean isDue;

    /** The one that {@code said} what cannot be told from the agreement. */
    Acceptance(Shared shared, HandshakePackets packets, Agreement agreement, long nonce, ConnectParameters said) {
        this.shared = shared;
        this.packets = packets;
        this.agreement = agreement;
        this.nonce = nonce;
        this.token = said.resetToken();
        byte[] ofApplication = said.privateData();
        this.privateData = ofApplication.length == 0 ? NOTHING : ofApplication;
        this.streams = said.streamsOpen();
    }

    @Override
    public @Nullable DropReason onPacket(PacketView packet, ConnectionState state) {
        return switch (packet.opcode()) {
            case Opcode.CONN_RETRY, Opcode.CONN_ACCEPT, Opcode.CONN_REJECT, Opcode.VERSION_NEG -> DropReason.STATE;
            case Opcode.CONN_CONFIRM -> packet.connectConfirm().nonce() == nonce ? null : DropReason.HANDSHAKE;
            default -> DropReason.UNEXPECTED;
        };
    }

    @Override
    public boolean answers(int initConnId, long itsNonce) {
        return agreement.peerId() == initConnId && nonce == itsNonce;
    }

    @Override
    public void onRepeatedRequest() {
        // R-CONN-003: a repeated request yields the same answer, never a second connection.
        isDue = true;
    }

    @Override
    public boolean isDue() {
        return isDue;
    }

    @Override
    public void write(Transmit out, Seal seal) {
        isDue = false;
        ConnectParameters said = Terms.again(shared, agreement)
                .resetToken(token)
                .privateData(privateData)
                .streamsOpen(streams);
        packets.accept(out, agreement.planes().get(0), agreement.peerId(), agreement.localId(), nonce, said);
    }
}
