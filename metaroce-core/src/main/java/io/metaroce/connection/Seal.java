package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Crc32cTrailer;

/** The last step of every packet: base header and trailer. */
public final class Seal {
    private final BaseHeader base = new BaseHeader();
    private final Crc32cTrailer crc;
    private final Counters counters;

    /** A seal that counts what it closes. */
    public Seal(Crc32cTrailer crc, Counters counters) {
        this.crc = crc;
        this.counters = counters;
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

    /** The base header of a packet whose source has written the opcode. */
    BaseHeader beginWritten(Transmit out) {
        return base.begin(base.wrap(out.header(), 0).opcode());
    }

    /** Closes the packet with a trailer for the receiver that chose {@code seed}. */
    public void close(Transmit out, int seed) {
        out.trailer(crc.of(
                seed, out.header(), 0, out.headerLength(), out.payload(), out.payloadOffset(), out.payloadLength()));
        counters.increment(Counter.TX_PACKETS);
        counters.add(Counter.TX_BYTES, out.length());
    }
}
