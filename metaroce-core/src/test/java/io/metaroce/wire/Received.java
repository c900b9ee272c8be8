package io.metaroce.wire;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.trace.DropReason;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Lets a packet view see bytes as if they had arrived: in a direct buffer, not at its start, with foreign bytes around.
 */
final class Received {
    private static final int OFFSET = 13;

    private Received() {}

    static Datagram datagram(byte[] bytes, Ecn ecn) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(OFFSET + bytes.length + OFFSET);
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, (byte) 0xA5);
        }
        buffer.put(OFFSET, bytes);
        return new Datagram().set(buffer, OFFSET, bytes.length, 0, ecn, () -> Address.ipv4(1, 1));
    }

    /** All steps, in order; the first reason to drop, or null. */
    static @Nullable DropReason check(PacketView view, byte[] bytes, int seed) {
        DropReason fault = view.open(datagram(bytes, Ecn.ECT_0));
        if (fault != null) {
            return fault;
        }
        if (!view.trailerMatches(seed)) {
            return DropReason.INTEGRITY;
        }
        return view.parse();
    }
}
