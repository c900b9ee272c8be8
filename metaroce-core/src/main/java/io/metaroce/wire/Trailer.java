package io.metaroce.wire;

import java.nio.ByteBuffer;

/** What closes a packet that is not secured. There is one, {@link Crc32cTrailer}; measurements bring another. */
public interface Trailer {
    /**
     * The trailer of a packet whose header and payload lie in different places.
     *
     * @param seed chosen by the receiver; 0 for handshake packets
     * @param headerLength at least 1
     * @param payloadLength 0 when there is none; {@code payload} is then not looked at
     */
    int of(int seed, ByteBuffer header, int at, int headerLength, ByteBuffer payload, int payloadAt, int payloadLength);
}
