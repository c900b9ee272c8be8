package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.SecuredHeader;
import io.metaroce.wire.Trailer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The last step of every packet: base header, then a trailer, or encryption on connections that have keys. */
public final class Seal {
    private static final int SECURED_BYTES_MAX = 16_384;

    private final BaseHeader base = new BaseHeader();
    private final Trailer trailer;
    private final Counters counters;
    private final @Nullable PacketSealer sealer;
    private @Nullable ByteBuffer scratch; // one for all connections: a packet is gone before the next is made

    /** A seal that counts what it closes. */
    public Seal(Trailer trailer, Counters counters) {
        this(trailer, counters, null, null);
    }

    private Seal(Trailer trailer, Counters counters, @Nullable PacketSealer sealer, @Nullable ByteBuffer scratch) {
        this.trailer = trailer;
        this.counters = counters;
        this.sealer = sealer;
        this.scratch = scratch;
    }

    /** The seal of a connection that encrypts. */
    Seal secured(PacketSealer by) {
        if (scratch == null) {
            scratch = ByteBuffer.allocateDirect(SECURED_BYTES_MAX);
        }
        return new Seal(trailer, counters, by, scratch);
    }

    /** Zeroes {@code length} bytes of header, so that reserved fields are sent as zero. */
    public static void blank(Transmit out, int length) {
        // R-HDR-003: reserved fields are sent as zero.
        for (int i = 0; i < length; i++) {
            out.header().put(i, (byte) 0);
        }
        out.headerLength(length);
        out.noPayload();
    }

    /** The base header laid over the packet, with version and opcode set and all else zero. */
    public BaseHeader begin(Transmit out, int opcode) {
        return base.wrap(out.header(), 0).begin(opcode);
    }

    /** The base header of a packet whose source has written the opcode and nothing else of it. */
    BaseHeader begun(Transmit out) {
        return base.wrap(out.header(), 0);
    }

    /** Bytes that {@link #close} adds to a packet beyond the room of a trailer. */
    int overheadBytes() {
        return sealer == null ? 0 : SecuredHeader.OVERHEAD_BYTES;
    }

    /** Closes the packet: encrypted, or with a trailer for the receiver that chose {@code seed}. */
    public void close(Transmit out, int seed) {
        if (sealer != null && scratch != null) {
            sealer.seal(out, scratch);
        } else {
            out.trailer(trailer.of(
                    seed,
                    out.header(),
                    0,
                    out.headerLength(),
                    out.payload(),
                    out.payloadOffset(),
                    out.payloadLength()));
        }
        counters.increment(Counter.TX_PACKETS);
        counters.add(Counter.TX_BYTES, out.length());
    }
}
