package io.metaroce.compliance.cosim;

import io.metaroce.compliance.adapter.model.RecordLog;
import io.metaroce.compliance.adapter.model.Recording;
import io.metaroce.compliance.spec.Json;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The other end of {@link Frames}: asks in the binary encoding and reads each reply. One thread. */
public final class Client {
    private static final int BUFFER_BYTES = 1 << 16;

    private final InputStream in;
    private final OutputStream out;
    private byte[] asked = new byte[1 << 13];
    private ByteBuffer request = Frames.wrap(asked);
    private byte[] body = new byte[1 << 16];
    private int length;

    /** Greets the process at the other end of these pipes. */
    public Client(InputStream from, OutputStream to) throws IOException {
        in = new BufferedInputStream(from, BUFFER_BYTES);
        out = new BufferedOutputStream(to, BUFFER_BYTES);
        out.write("{\"op\":\"hello\",\"cosim\":1,\"enc\":\"bin\"}\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the process is gone");
            }
            line.append((char) next);
        }
        if (!Json.parse(line.toString()).path("ok").asBoolean()) {
            throw new IOException("not greeted: " + line);
        }
    }

    /**
     * The effects of one request; valid until the next.
     *
     * @param records 64 bytes each
     * @param bytes of packets and placements, from {@code bytesAt} of {@code records}' array on
     */
    @SuppressWarnings("ArrayRecordComponent") // lent
    public record Effects(
            int count, boolean hasMore, long reachedNs, long nextNs, ByteBuffer records, byte[] bytes, int bytesAt) {}

    /** Asks anything in JSON; a refusal is an exception. */
    public JsonNode ask(ObjectNode question) throws IOException {
        byte[] text = Json.line(question).getBytes(StandardCharsets.UTF_8);
        begin(Frames.JSON, text.length).put(text);
        exchange(Frames.JSON_REPLY);
        return Json.parse(new String(body, 0, length, StandardCharsets.UTF_8));
    }

    /** A command whose answer is not looked at. */
    public Effects command(int handle, long tNs, byte[] json) throws IOException {
        begin(Frames.CMD, Frames.STEP_BYTES + json.length)
                .putInt(handle)
                .putLong(tNs)
                .put(json);
        return effects();
    }

    /** A datagram arrives. */
    public Effects receive(int handle, long tNs, byte[] route, byte[] datagram) throws IOException {
        begin(Frames.RX, Frames.STEP_BYTES + Recording.ROUTE_BYTES + datagram.length)
                .putInt(handle)
                .putLong(tNs)
                .put(route)
                .put(datagram);
        return effects();
    }

    /** Time passes. */
    public Effects advance(int handle, long tNs) throws IOException {
        begin(Frames.ADVANCE, Frames.STEP_BYTES).putInt(handle).putLong(tNs);
        return effects();
    }

    private ByteBuffer begin(int type, int bytes) {
        if (request.capacity() < Frames.HEAD_BYTES + bytes) {
            asked = new byte[Frames.HEAD_BYTES + bytes];
            request = Frames.wrap(asked);
        }
        return request.clear().putInt(bytes + 1).put((byte) type);
    }

    private void exchange(int wanted) throws IOException {
        out.write(asked, 0, request.position());
        out.flush();
        if (in.readNBytes(body, 0, Frames.HEAD_BYTES) < Frames.HEAD_BYTES) {
            throw new EOFException("the process is gone");
        }
        length = Frames.wrap(body).getInt(0) - 1;
        int type = body[4] & 0xFF;
        if (length > body.length) {
            body = new byte[2 * length];
        }
        if (in.readNBytes(body, 0, length) < length) {
            throw new EOFException("the process is gone");
        }
        if (type != wanted) {
            throw new IOException("refused: " + new String(body, 0, length, StandardCharsets.UTF_8));
        }
    }

    private Effects effects() throws IOException {
        exchange(Frames.EFFECTS);
        ByteBuffer head = Frames.wrap(body);
        int count = head.getInt(0);
        return new Effects(
                count,
                (head.getInt(4) & Frames.MORE) != 0,
                head.getLong(8),
                head.getLong(16),
                head.slice(Frames.EFFECTS_HEAD_BYTES, count * RecordLog.RECORD_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN),
                body,
                Frames.EFFECTS_HEAD_BYTES + count * RecordLog.RECORD_BYTES);
    }
}
