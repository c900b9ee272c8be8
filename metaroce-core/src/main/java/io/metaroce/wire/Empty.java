package io.metaroce.wire;

import java.nio.ByteBuffer;

/** What a flyweight lies over before it is laid over something. */
final class Empty {
    /** No bytes at all: every access fails. */
    static final ByteBuffer BUFFER = ByteBuffer.allocateDirect(0);

    private Empty() {}
}
