package io.metaroce.connection;

import io.metaroce.datagram.Datagram;
import io.metaroce.param.SecurityConfig;
import io.metaroce.trace.DropReason;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Both directions of a connection under AEAD-1, from the point of view of one side. */
final class SecureChannel {
    private final PacketSealer sealer;
    private final PacketOpener opener;

    private SecureChannel(PacketSealer sealer, PacketOpener opener) {
        this.sealer = sealer;
        this.opener = opener;
    }

    /** The channel of the side that is {@code self}. */
    static SecureChannel of(SecurityConfig security, byte[] transcript, PhaseKeys.Sender self) {
        byte[] secret = security.presharedKey().bytes();
        PhaseKeys.Sender other =
                self == PhaseKeys.Sender.INITIATOR ? PhaseKeys.Sender.RESPONDER : PhaseKeys.Sender.INITIATOR;
        return new SecureChannel(
                new PacketSealer(PhaseKeys.of(secret, transcript, self), security.rekeyPackets()),
                new PacketOpener(PhaseKeys.of(secret, transcript, other)));
    }

    PacketSealer sealer() {
        return sealer;
    }

    @Nullable
    DropReason open(long nowNs, Datagram arrived, ByteBuffer plain, Datagram inner) {
        return opener.open(nowNs, arrived, plain, inner);
    }
}
