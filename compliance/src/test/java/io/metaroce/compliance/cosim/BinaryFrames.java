package io.metaroce.compliance.cosim;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Frames as a client writes them, also such as no client should write. */
final class BinaryFrames {
    private BinaryFrames() {}

    /** Adds a frame of a type with this body. */
    static void frame(ByteArrayOutputStream to, int type, byte[] body) {
        to.writeBytes(ByteBuffer.allocate(5)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(body.length + 1)
                .put((byte) type)
                .array());
        to.writeBytes(body);
    }
}
