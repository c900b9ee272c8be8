package io.metaroce.engine;

import io.metaroce.connection.Connection;
import io.metaroce.datagram.Datagram;
import io.metaroce.param.SecurityConfig;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.SecuredHeader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Where secured packets are opened: one place for the one that is being looked at. */
final class SecureIntake {
    private static final int LENGTH_MIN = SecuredHeader.LENGTH + BaseHeader.LENGTH + SecuredHeader.TAG_LENGTH;
    private static final int LENGTH_MAX = 16_384;

    private final boolean demanded;
    private final ByteBuffer plain;
    private final Datagram inner = new Datagram();
    private final SecuredHeader header = new SecuredHeader();

    SecureIntake(SecurityConfig security) {
        demanded = security.isEncrypted();
        plain = ByteBuffer.allocateDirect(demanded ? LENGTH_MAX : 0);
    }

    /** Whether every packet of a connection has to be secured; if not, none may be. */
    boolean isDemanded() {
        return demanded;
    }

    /** Why a datagram that begins with a secured header cannot be one that is wanted here, or null. */
    @Nullable
    DropReason judge(Datagram datagram) {
        if (!demanded) {
            return datagram.length() < BaseHeader.LENGTH ? DropReason.SHORT : DropReason.VERSION;
        }
        if (datagram.length() < LENGTH_MIN) {
            return DropReason.SHORT;
        }
        return datagram.length() > LENGTH_MAX ? DropReason.LENGTH : null;
    }

    int dstConnId(Datagram datagram) {
        return header.wrap(datagram.buffer(), datagram.offset()).dstConnId();
    }

    /** Opens it with the keys of its connection; afterwards it is {@link #opened()}. */
    @Nullable
    DropReason open(long nowNs, Datagram datagram, Connection connection) {
        return connection.open(nowNs, datagram, plain, inner);
    }

    /** The packet that was opened last, with room for a trailer that it does not have. */
    Datagram opened() {
        return inner;
    }
}
