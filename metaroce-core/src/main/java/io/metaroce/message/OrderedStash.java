package io.metaroce.message;

import io.metaroce.num.Bits;
import io.metaroce.wire.PacketView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Ordered writes of the peer that came before their turn: address, key and payload of each. As many places as the peer
 * was told, made once when both sides have agreed.
 */
final class OrderedStash {
    /** No place. */
    static final int NONE = -1;

    private final int payloadBytes;
    private final ByteBuffer payload;
    private final @Nullable Stream[] stream;
    private final int[] rkey;
    private final long[] address;
    private final int[] next; // of the free places
    private int free = NONE;
    private @Bits(17) int kept;

    /** As many places as the peer was told. */
    OrderedStash(int places, int bytesEach) {
        payloadBytes = bytesEach;
        payload = ByteBuffer.allocateDirect(places * bytesEach);
        stream = new Stream[places];
        rkey = new int[places];
        address = new long[places];
        next = new int[places];
        for (int at = places - 1; at >= 0; at--) {
            next[at] = free;
            free = at;
        }
    }

    /** Keeps a write; {@link #NONE} when the peer has more of them outstanding than it was told. */
    int keep(Stream of, PacketView packet) {
        if (free == NONE) {
            return NONE;
        }
        int at = free;
        free = next[at];
        stream[at] = of;
        rkey[at] = packet.write().rkey();
        address[at] = packet.write().remoteAddress();
        payload.put(at * payloadBytes, packet.buffer(), packet.payloadOffset(), packet.payloadLength());
        kept++;
        return at;
    }

    int rkey(int at) {
        return rkey[at];
    }

    long address(int at) {
        return address[at];
    }

    /** Where the payloads are. */
    ByteBuffer payload() {
        return payload;
    }

    /** Where in {@link #payload()} that of one write begins. */
    int payloadOffset(int at) {
        return at * payloadBytes;
    }

    /** A write has been placed: its place is free. */
    void release(int at) {
        stream[at] = null;
        next[at] = free;
        free = at;
        kept--;
    }

    /** The stream has ended: none of its writes will ever show. */
    void end(Stream of) {
        for (int at = 0; kept > 0 && at < stream.length; at++) {
            if (stream[at] == of) {
                release(at);
            }
        }
    }
}
