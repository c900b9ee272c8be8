package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.PacketView;
import org.jspecify.annotations.Nullable;

/**
 * What is left of a handshake once the connection stands: the last word of this side, to be said again to a peer that
 * has missed it. Everything else about the handshake is forgotten.
 */
interface LastWord {
    /** A packet of the handshake has come late. Returns why it was dropped, or null. */
    @Nullable
    DropReason onPacket(PacketView packet, ConnectionState state);

    /** Whether a connection request is the one that this handshake began with. */
    boolean answers(int initConnId, long nonce);

    /** The request came once more. */
    void onRepeatedRequest();

    /** Whether the last word is to be said. */
    boolean isDue();

    /** Says it; the packets of the connection are closed by {@code seal}. */
    void write(Transmit out, Seal seal);
}
