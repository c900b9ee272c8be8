package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * What closes a packet that is not secured, and how its receiver looks at that. There is one, {@link Crc32cTrailer};
 * models and measurements bring another. Both ends of a connection must have the same.
 */
public interface Trailer {
    /**
     * The trailer of a packet whose header and payload lie in different places.
     *
     * @param seed chosen by the receiver; 0 for handshake packets
     * @param headerLength at least 1
     * @param payloadLength 0 when there is none; {@code payload} is then not looked at
     */
    int of(int seed, ByteBuffer header, int at, int headerLength, ByteBuffer payload, int payloadAt, int payloadLength);

    /**
     * Whether the {@code length} bytes at {@code at}, trailer included, end in the right trailer. Whatever they are, it
     * is never an exception, as long as they lie in {@code packet}.
     */
    boolean matches(int seed, ByteBuffer packet, int at, int length);
}
