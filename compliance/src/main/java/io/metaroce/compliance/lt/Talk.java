package io.metaroce.compliance.lt;

import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import io.metaroce.compliance.utp.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Messages of the tester as packets, and what the newest reports of the implementation say. */
public final class Talk {
    private Talk() {}

    /** A request with its message header. */
    public static Packet request(String name, int stream, int msn, long offset, long total) {
        return new Packet(name)
                .set("stream_id", stream)
                .set("msn", msn & 0xFFFF_FFFFL)
                .set("message_offset", offset)
                .set("message_length", total);
    }

    /** One fragment of a Write into a region. */
    public static Packet write(int stream, int msn, App.Region to, int at, int offset, int total, byte[] payload) {
        return request("WRITE", stream, msn, offset, total)
                .set("rkey", to.rkey() & 0xFFFF_FFFFL)
                .set("remote_address", to.address() + at + offset)
                .payload(payload);
    }

    /** A Write of pattern bytes to {@code at} of a region, in fragments of {@code size} bytes. */
    public static List<Packet> write(int stream, int msn, App.Region to, int at, int total, int size, long seed) {
        List<Packet> parts = new ArrayList<>();
        for (int offset = 0; offset == 0 || offset < total; offset += size) {
            int length = Math.min(size, total - offset);
            parts.add(write(stream, msn, to, at, offset, total, Pattern.bytes(seed, at + offset, length)));
        }
        return parts;
    }

    /** A Send of pattern bytes, in fragments. */
    public static List<Packet> send(int stream, int msn, int rsn, int total, int size, long seed) {
        List<Packet> parts = new ArrayList<>();
        for (int offset = 0; offset == 0 || offset < total; offset += size) {
            int length = Math.min(size, total - offset);
            parts.add(request("SEND", stream, msn, offset, total)
                    .set("rsn", rsn & 0xFFFF_FFFFL)
                    .payload(Pattern.bytes(seed, offset, length)));
        }
        return parts;
    }

    // ---- what the implementation says

    /** The newest update of a stream. */
    public static Optional<Fields> update(Trial t, int stream) {
        Fields found = null;
        for (Seen report : t.sent().named("ACK", "CREDIT", "STREAM_STATUS").list()) {
            for (Fields update : report.packet().fields().list("stream_updates")) {
                found = update.get("stream_id") == stream ? update : found;
            }
        }
        return Optional.ofNullable(found);
    }

    /** NextMSN of a stream as it was told last; 0 before. */
    public static int nextMsn(Trial t, int stream) {
        return update(t, stream).map(update -> update.int32("next_msn")).orElse(0);
    }

    /** The newest block of a path in this selection. */
    public static Optional<Fields> block(Traffic acks, int path) {
        Fields found = null;
        for (Seen ack : acks.named("ACK").list()) {
            for (Fields block : ack.packet().fields().list("path_blocks")) {
                found = block.get("path_id") == path && block.get("sack_offset") == 0 ? block : found;
            }
        }
        return Optional.ofNullable(found);
    }

    /** Whether a block says that a slot was accepted. */
    public static boolean says(Fields block, int psn) {
        int ahead = psn - block.int32("cum_psn");
        int bit = ahead - (int) block.get("sack_offset");
        long[] words = block.longs("bitmap");
        return ahead < 0 || (bit >= 0 && bit < 64 * words.length && (words[bit >>> 6] >>> bit & 1) != 0);
    }
}
