package io.metaroce.bench.micro;

import io.metaroce.wire.Crc32cTrailer;
import io.metaroce.wire.Trailer;
import java.nio.ByteBuffer;

/**
 * A trailer over the headers alone, so that the send side can be measured without reading what it sends. Packets get
 * their right trailer afterwards, by {@link #complete}, or no receiver would take them.
 */
final class HeadTrailer implements Trailer {
    private final Crc32cTrailer crc = new Crc32cTrailer();
    private int seed; // of the last packet with payload

    @Override
    public int of(
            int seed,
            ByteBuffer header,
            int at,
            int headerLength,
            ByteBuffer payload,
            int payloadAt,
            int payloadLength) {
        if (payloadLength > 0) {
            this.seed = seed;
        }
        return crc.of(seed, header, at, headerLength, payload, payloadAt, 0);
    }

    @Override
    public boolean matches(int seed, ByteBuffer packet, int at, int length) {
        return crc.matches(seed, packet, at, length);
    }

    /** Writes the trailer that a packet of the connection should have behind it. */
    void complete(ByteBuffer packet, int at, int length) {
        packet.putInt(at + length, crc.of(seed, packet, at, length, packet, at, 0));
    }
}
