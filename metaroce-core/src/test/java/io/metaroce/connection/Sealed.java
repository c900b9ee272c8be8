package io.metaroce.connection;

import io.metaroce.wire.Crc32cTrailer;
import java.nio.ByteBuffer;

/** Bytes that were tampered with and closed again, so that only what they say is wrong. */
public final class Sealed {
    private static final int TRAILER_BYTES = 4;

    private Sealed() {}

    /** The same bytes with the right trailer under {@code seed}. */
    public static byte[] again(byte[] bytes, int seed) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length);
        buffer.put(0, bytes);
        int length = bytes.length - TRAILER_BYTES;
        byte[] out = bytes.clone();
        int trailer = new Crc32cTrailer().of(seed, buffer, 0, length, ByteBuffer.allocateDirect(0), 0, 0);
        ByteBuffer.wrap(out).putInt(length, trailer);
        return out;
    }
}
