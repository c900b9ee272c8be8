package io.metaroce.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The last four bytes of a packet: a keyed checksum that guards memory against corruption. It is not cryptography.
 *
 * <pre>trailer ::= CRC32C(seed:32 packet-without-trailer, flag M taken as 0)</pre>
 *
 * <p>Position and limit of the buffers passed in are moved during a call and restored before it returns; that is what
 * keeps the computation on the processor's CRC instructions without a duplicate per packet. So a buffer must not be
 * shared with another thread in the same moment: header scratch, receive buffers and the engine's own duplicates of
 * memory regions are all confined to the engine's thread. Direct buffers are read in place; heap buffers that can show
 * their array work as well.
 */
public final class Crc32cTrailer implements Trailer {
    /** Bytes of the trailer. */
    public static final int LENGTH = 4;

    private static final int M_MASK = ~BaseHeader.M & 0xFF;

    private final CRC32C crc = new CRC32C();
    private final byte[] start = new byte[5]; // the seed and the packet's first byte

    @Override
    public int of(
            int seed,
            ByteBuffer header,
            int at,
            int headerLength,
            ByteBuffer payload,
            int payloadAt,
            int payloadLength) {
        crc.reset();
        start[0] = (byte) (seed >>> 24);
        start[1] = (byte) (seed >>> 16);
        start[2] = (byte) (seed >>> 8);
        start[3] = (byte) seed;
        // R-HDR-008: flag M may be set in transit and is taken as 0.
        start[4] = (byte) (header.get(at) & M_MASK);
        crc.update(start, 0, start.length);
        update(header, at + 1, headerLength - 1);
        if (payloadLength > 0) {
            update(payload, payloadAt, payloadLength);
        }
        return (int) crc.getValue();
    }

    @Override
    public boolean matches(int seed, ByteBuffer packet, int at, int length) {
        int covered = length - LENGTH;
        return covered > 0 && of(seed, packet, at, covered, packet, at, 0) == packet.getInt(at + covered);
    }

    private void update(ByteBuffer bytes, int at, int length) {
        int position = bytes.position();
        int limit = bytes.limit();
        bytes.limit(at + length).position(at);
        crc.update(bytes);
        bytes.limit(limit).position(position);
    }
}
