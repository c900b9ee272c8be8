package io.metaroce.param;

/**
 * What one connection accepts; told to the peer in the handshake.
 *
 * @param payloadBytes payload of a full packet: 1024, 2048, 4096 or 8192; the smaller wish of the two sides rules
 * @param streams streams at once, 1..65535
 * @param openMessages messages begun by the peer and not complete, over all streams, 1..65535
 * @param messageBytesMax longest message accepted, 0..2^31
 * @param reads Reads and atomics of the peer served at once, over all streams, 0..4096
 * @param orderedWrites ordered writes of the peer kept until their turn, over all streams, 0..65535; each takes the
 *     memory of one payload
 */
public record ConnectionLimits(
        int payloadBytes, int streams, int openMessages, long messageBytesMax, int reads, int orderedWrites) {
    /** Checks the bounds. */
    public ConnectionLimits {
        if (payloadBytes != 1024 && payloadBytes != 2048 && payloadBytes != 4096 && payloadBytes != 8192) {
            throw new IllegalArgumentException("connection.payloadBytes = " + payloadBytes
                    + " is none of 1024, 2048, 4096, 8192; change the setting connection.payloadBytes");
        }
        Check.range("connection.streams", streams, 1, 65535);
        Check.range("connection.openMessages", openMessages, 1, 65535);
        Check.range("connection.messageBytesMax", messageBytesMax, 0, 1L << 31);
        Check.range("connection.reads", reads, 0, 4096);
        Check.range("connection.orderedWrites", orderedWrites, 0, 65535);
    }

    /** The same with another payload size. */
    public ConnectionLimits withPayloadBytes(int bytes) {
        return new ConnectionLimits(bytes, streams, openMessages, messageBytesMax, reads, orderedWrites);
    }

    /** The same with another number of ordered writes. */
    public ConnectionLimits withOrderedWrites(int writes) {
        return new ConnectionLimits(payloadBytes, streams, openMessages, messageBytesMax, reads, writes);
    }
}
