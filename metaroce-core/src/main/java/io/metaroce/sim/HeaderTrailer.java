package io.metaroce.sim;

import io.metaroce.num.SplitMix64;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.Tlv;
import io.metaroce.wire.Trailer;
import java.nio.ByteBuffer;

/**
 * The trailer of packets whose payload is not carried: a keyed fold over the headers alone, which stands directly
 * behind them. It finds what a fault script changes there, costs a fraction of a CRC, and says nothing about payload.
 */
final class HeaderTrailer implements Trailer {
    private static final int LENGTH = 4;
    private static final long START = 0x6865_6164_6572_7321L;
    private static final long WITHOUT_M = ~((long) BaseHeader.M << 56);
    private static final int NOWHERE = -1;

    private final BaseHeader base = new BaseHeader();

    @Override
    public int of(
            int seed,
            ByteBuffer header,
            int at,
            int headerLength,
            ByteBuffer payload,
            int payloadAt,
            int payloadLength) {
        // R-HDR-008: flag M may be set in transit and is taken as 0.
        long mask = WITHOUT_M;
        long fold = START ^ seed;
        int covered = covered(header, at, headerLength);
        int i = 0;
        for (; i + Long.BYTES <= covered; i += Long.BYTES) {
            fold = Fold.with(fold, header.getLong(at + i) & mask);
            mask = -1;
        }
        for (; i < covered; i++) {
            fold = Fold.with(fold, ((long) header.get(at + i) << 56) & mask);
            mask = -1;
        }
        return (int) SplitMix64.mix(fold);
    }

    @Override
    public boolean matches(int seed, ByteBuffer packet, int at, int length) {
        int end = placeOf(packet, at, length);
        return end > at && of(seed, packet, at, end - at, packet, at, 0) == packet.getInt(end);
    }

    // Padding is no header.
    private int covered(ByteBuffer packet, int at, int length) {
        boolean isProbe = length >= BaseHeader.LENGTH && base.wrap(packet, at).opcode() == Opcode.PROBE;
        return isProbe ? Math.min(length, Opcode.headerLength(Opcode.PROBE)) : length;
    }

    /** Whether the trailer of a packet stands behind its headers, where its payload would begin. */
    static boolean isBehindHeaders(int opcode) {
        return Opcode.hasPayload(opcode);
    }

    private int placeOf(ByteBuffer packet, int at, int length) {
        int end = at + length - LENGTH;
        int opcode = length < BaseHeader.LENGTH ? 0 : base.wrap(packet, at).opcode();
        if (isBehindHeaders(opcode)) {
            int afterHeaders = at + Opcode.headerLength(opcode);
            end = base.hasOptions() ? afterOptions(packet, afterHeaders, end) : Math.min(afterHeaders, end);
        }
        return end + LENGTH <= packet.capacity() ? end : NOWHERE;
    }

    private static int afterOptions(ByteBuffer packet, int from, int end) {
        int limit = Math.min(end, packet.capacity());
        int here = from;
        while (here + Tlv.WORD_LENGTH <= limit) {
            boolean isLast = Tlv.type(packet, here) == Tlv.END;
            int bytes = Tlv.lengthBytes(packet, here);
            here += bytes;
            if (isLast || bytes == 0) {
                return here;
            }
        }
        return end;
    }
}
