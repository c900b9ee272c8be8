package io.metaroce.wire;

import io.metaroce.datagram.Address;
import io.metaroce.wire.ConnectParameters.PlaneAddress;
import io.metaroce.wire.ConnectParameters.StreamOpen;
import java.nio.ByteBuffer;
import java.util.List;

/** Writes handshake parameters one behind the other; one method per shape of value. */
final class ParameterWriter {
    private static final int VALUE_AFTER_WORD = Tlv.WORD_LENGTH;

    private final ByteBuffer buffer;
    private final int start;
    private int at;

    ParameterWriter(ByteBuffer buffer, int at) {
        this.buffer = buffer;
        this.start = at;
        this.at = at;
    }

    void u16(int type, int value) {
        head(type, 1, value);
        at += Tlv.WORD_LENGTH;
    }

    void u32(int type, int value) {
        u16u32(type, 0, value);
    }

    void u16u32(int type, int first, int second) {
        head(type, 2, first);
        buffer.putInt(at + VALUE_AFTER_WORD, second);
        at += 2 * Tlv.WORD_LENGTH;
    }

    void u32u32(int type, int first, int second) {
        head(type, 3, 0);
        buffer.putInt(at + VALUE_AFTER_WORD, first);
        buffer.putInt(at + VALUE_AFTER_WORD + 4, second);
        at += 3 * Tlv.WORD_LENGTH;
    }

    void token(int type, byte[] value) {
        head(type, 1 + value.length / Tlv.WORD_LENGTH, 0);
        buffer.put(at + VALUE_AFTER_WORD, value);
        at += Tlv.WORD_LENGTH + value.length;
    }

    void planes(List<PlaneAddress> planes) {
        atMost("planes", planes.size(), ConnectParameters.PLANES_MAX);
        int here = at + Tlv.WORD_LENGTH;
        for (PlaneAddress plane : planes) {
            Address address = plane.address();
            buffer.put(here, (byte) plane.plane());
            buffer.put(here + 1, (byte) address.family());
            buffer.putShort(here + 2, (short) address.port());
            here += 4;
            if (address.family() == Address.IPV4) {
                buffer.putInt(here, (int) address.low());
                here += 4;
            } else {
                buffer.putLong(here, address.high());
                buffer.putLong(here + 8, address.low());
                here += 16;
            }
        }
        head(Tlv.PLANES, (here - at) / Tlv.WORD_LENGTH, planes.size() << 8);
        at = here;
    }

    void streamsOpen(List<StreamOpen> streams) {
        atMost("streams open at once", streams.size(), ConnectParameters.STREAMS_OPEN_MAX);
        head(Tlv.STREAMS_OPEN, 1 + streams.size(), streams.size());
        at += Tlv.WORD_LENGTH;
        for (StreamOpen stream : streams) {
            buffer.putInt(at, (stream.streamId() << 16) | (stream.posted() & 0xFFFF));
            at += 4;
        }
    }

    void privateData(byte[] data) {
        atMost("bytes of private data", data.length, ConnectParameters.PRIVATE_DATA_BYTES_MAX);
        int words = (data.length + 3) / Tlv.WORD_LENGTH;
        head(Tlv.PRIVATE_DATA, 1 + words, data.length);
        at += Tlv.WORD_LENGTH;
        if (words > 0) {
            // R-HDR-003: what fills the last word is sent as zero.
            buffer.putInt(at + (words - 1) * Tlv.WORD_LENGTH, 0);
        }
        buffer.put(at, data);
        at += words * Tlv.WORD_LENGTH;
    }

    /** Ends the chain and returns the bytes written in all. */
    int end() {
        at += Tlv.writeEnd(buffer, at);
        return at - start;
    }

    private void head(int type, int words, int value) {
        Tlv.writeHead(buffer, at, type, words);
        buffer.putShort(at + Tlv.VALUE, (short) value);
    }

    private static void atMost(String what, int count, int max) {
        if (count > max) {
            throw new IllegalArgumentException(
                    count + " " + what + " do not fit into a connection request: at most " + max);
        }
    }
}
