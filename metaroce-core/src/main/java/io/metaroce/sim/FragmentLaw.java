package io.metaroce.sim;

import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import java.util.Arrays;

/**
 * The law of payloads, one direction of one connection: within one attempt of a message every payload has one slot, and
 * all fragments but the last carry the same.
 *
 * <p>It relies on fragments of one attempt getting their slots in order, which this engine does and the protocol does
 * not demand.
 */
final class FragmentLaw {
    private static final int MESSAGES = 1 << 11; // remembered per stream
    private static final int NOTHING = -1;
    private static final int SMALLEST_BYTES = 1024;

    private final int payloadBytes;
    private final LongTable<Stream> streams = new LongTable<>();

    FragmentLaw(int payloadBytes) {
        this.payloadBytes = payloadBytes;
    }

    private static final class Stream {
        final int[] msn = new int[MESSAGES];
        final int[] attempt = new int[MESSAGES];
        final long[] nextOffset = new long[MESSAGES];
        final int[] size = new int[MESSAGES]; // payload of all fragments but the last

        Stream() {
            Arrays.fill(attempt, NOTHING);
        }
    }

    /** Looks at a slot packet; answers with a fault that begins with its tag, or with nothing. */
    String onSent(PacketView view) {
        int length = view.payloadLength();
        // Checks R-HDR-011: no packet exceeds the payload agreed on.
        if (length > payloadBytes) {
            return "R-HDR-011: a payload of " + length + " bytes, agreed are " + payloadBytes;
        }
        int opcode = view.opcode();
        boolean isRequest = opcode >= Opcode.WRITE && opcode <= Opcode.ATOMIC_REQ;
        if (!isRequest || view.base().isResent()) {
            return "";
        }
        long offset = view.message().messageOffset() & 0xFFFF_FFFFL;
        long total = opcode <= Opcode.SEND_INV ? view.messageLength() & 0xFFFF_FFFFL : 0;
        if (!view.message().isWithdrawn()) {
            if (offset + length > total) {
                return "R-HDR-015: bytes " + offset + ".." + (offset + length) + " of a message of " + total;
            }
            // Checks R-HDR-014: all fragments but the last carry the same, and it is one of the sizes there are.
            if (!isFull(view, offset, length) && offset + length != total) {
                return "R-HDR-014: " + length + " bytes at " + offset + " of " + total;
            }
        }
        return placedOnce(view, offset, Math.max(length, 1));
    }

    private boolean isFull(PacketView view, long offset, int length) {
        Stream stream = stream(view.message().streamId());
        int i = view.message().msn() & (MESSAGES - 1);
        if (offset == 0) {
            stream.size[i] = length;
        }
        return length == stream.size[i] && length >= SMALLEST_BYTES && Integer.bitCount(length) == 1;
    }

    // Checks R-PATH-008: a payload has one slot within one attempt.
    private String placedOnce(PacketView view, long offset, int length) {
        Stream stream = stream(view.message().streamId());
        int msn = view.message().msn();
        int attempt = view.message().attempt();
        int i = msn & (MESSAGES - 1);
        if (stream.attempt[i] != NOTHING && stream.msn[i] - msn > 0) {
            return ""; // forgotten already
        }
        boolean isSame = stream.attempt[i] == attempt && stream.msn[i] == msn;
        if (isSame && offset < stream.nextOffset[i]) {
            return "R-PATH-008: offset " + offset + " of message " + msn + " in a second slot, attempt " + attempt;
        }
        stream.msn[i] = msn;
        stream.attempt[i] = attempt;
        stream.nextOffset[i] = offset + length;
        return "";
    }

    private Stream stream(int id) {
        Stream known = streams.get(id);
        if (known != null) {
            return known;
        }
        Stream fresh = new Stream();
        streams.put(id, fresh);
        return fresh;
    }
}
