package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.PacketView;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What was said in a handshake: SHA-256 over the last CONN_REQ and the CONN_ACCEPT, without their trailers. Keys are
 * drawn from it, so whoever changed a word on the way gets keys that fit nobody.
 */
final class Transcript {
    private byte[] request = new byte[0];

    void request(Transmit sent) {
        request = bytes(sent.header(), 0, sent.headerLength());
    }

    void request(PacketView received) {
        request = bytes(received);
    }

    byte[] with(Transmit accept) {
        return hash(bytes(accept.header(), 0, accept.headerLength()));
    }

    byte[] with(PacketView accept) {
        return hash(bytes(accept));
    }

    private byte[] hash(byte[] accept) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(request);
            return digest.digest(accept);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime has no SHA-256, which every one must have", e);
        }
    }

    private static byte[] bytes(PacketView packet) {
        int length = packet.datagram().length() - Transmit.TRAILER_BYTES;
        return bytes(packet.buffer(), packet.datagram().offset(), length);
    }

    private static byte[] bytes(ByteBuffer buffer, int at, int length) {
        byte[] copy = new byte[length];
        buffer.get(at, copy);
        // R-HDR-008: flag M may be set in transit and is taken as 0.
        copy[0] = (byte) (copy[0] & ~BaseHeader.M);
        return copy;
    }
}
