package io.metaroce.compliance.cosim;

import io.metaroce.compliance.adapter.model.Model;
import io.metaroce.compliance.adapter.model.RecordLog;
import io.metaroce.compliance.adapter.model.Recording;
import io.metaroce.compliance.adapter.model.Refused;
import io.metaroce.compliance.adapter.model.Told;
import io.metaroce.compliance.spec.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The binary encoding: {@code length:u32 type:u8 body}, little-endian, one reply to each request. */
final class Frames {
    static final int JSON = 0x01;
    static final int RX = 0x02;
    static final int ADVANCE = 0x03;
    static final int CMD = 0x04;
    static final int CHOOSE = 0x05;
    static final int EXPECT = 0x06;
    static final int EVENTS = 0x07;
    static final int JSON_REPLY = 0x81;
    static final int EFFECTS = 0x82;
    static final int VERDICT = 0x83;
    static final int ERROR = 0xFF;

    static final int HEAD_BYTES = 5; // length and type
    static final int STEP_BYTES = 12; // handle and time
    static final int EFFECTS_HEAD_BYTES = 32;
    static final int MORE = 1; // flag of effects
    private static final int HANDLE_BYTES = 4;
    private static final int CHOOSE_BYTES = 28;
    private static final Set<String> VERDICTS = Set.of("E_MISMATCH", "E_FORBIDDEN", "E_UNSUPPORTED");
    private static final byte[] NOTHING = new byte[0];

    private final Session session;
    private final InputStream in;
    private final OutputStream out;
    private byte[] body = new byte[1 << 12];
    private ByteBuffer fields = wrap(body);
    private byte[] replied = new byte[1 << 16];
    private ByteBuffer reply = wrap(replied);

    Frames(Session session, InputStream in, OutputStream out) {
        this.session = session;
        this.in = in;
        this.out = out;
    }

    /** The bytes in the order that frames have. */
    static ByteBuffer wrap(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Serves until the client says good-bye, true, or is gone, false. */
    boolean serve() throws IOException {
        while (in.readNBytes(body, 0, HEAD_BYTES) == HEAD_BYTES) {
            int length = fields.getInt(0) - 1;
            int type = fields.get(4) & 0xFF;
            if (length < 0 || length > Server.REQUEST_BYTES_MAX) {
                error(new Refused("E_PARSE", "a frame of " + Integer.toUnsignedString(length + 1) + " bytes"));
                return false;
            }
            if (length > body.length) {
                body = new byte[Math.max(length, 2 * body.length)];
                fields = wrap(body);
            }
            if (in.readNBytes(body, 0, length) < length) {
                return false;
            }
            try {
                answer(type, length);
            } catch (Refused e) {
                error(e);
            } catch (RuntimeException e) {
                error(Refused.fault(e));
            }
            if (session.isOver()) {
                return true;
            }
        }
        return false;
    }

    private void answer(int type, int length) throws IOException {
        switch (type) {
            case JSON -> json(length);
            case RX -> {
                Handle model = step(length, STEP_BYTES + Recording.ROUTE_BYTES);
                model.receive(time(), body, STEP_BYTES, length);
                effects(model.model(), NOTHING);
            }
            case ADVANCE -> {
                Handle model = step(length, STEP_BYTES);
                model.advance(time());
                effects(model.model(), NOTHING);
            }
            case CMD -> {
                Handle model = step(length, STEP_BYTES);
                JsonNode arguments = parse(STEP_BYTES, length - STEP_BYTES);
                ObjectNode answer =
                        model.command(time(), arguments.path("do").asString(""), arguments, length - STEP_BYTES);
                byte[] said = answer.isEmpty() ? NOTHING : Json.line(answer).getBytes(StandardCharsets.UTF_8);
                effects(model.model(), said);
            }
            case CHOOSE -> verdict(() -> choose(length));
            case EXPECT -> verdict(() -> expect(length));
            case EVENTS -> verdict(() -> events(length));
            default -> throw new Refused("E_OP", "no request of type " + type);
        }
    }

    private Handle step(int length, int least) {
        if (length < least) {
            throw new Refused("E_PARSE", "a body of " + length + " bytes, at least " + least + " are needed");
        }
        return session.find(fields.getInt(0));
    }

    private long time() {
        long timeNs = fields.getLong(4);
        if (timeNs < 0 || timeNs == Long.MAX_VALUE) {
            throw new Refused("E_ARG", "t = " + Long.toUnsignedString(timeNs) + " is beyond 2^63 - 2");
        }
        return timeNs;
    }

    private JsonNode parse(int at, int length) {
        try {
            JsonNode node = Json.parse(new String(body, at, length, StandardCharsets.UTF_8));
            if (!node.isObject()) {
                throw new Refused("E_PARSE", "a request is an object");
            }
            return node;
        } catch (JacksonException e) {
            throw new Refused("E_PARSE", "no JSON: " + e.getOriginalMessage());
        }
    }

    private ObjectNode choose(int length) {
        Handle model = step(length, CHOOSE_BYTES);
        model.choose(
                time(),
                Short.toUnsignedInt(fields.getShort(12)),
                fields.getLong(20),
                fields.getInt(16),
                fields.getShort(14) & 0xFF);
        return Json.object().put("result", "allowed");
    }

    private ObjectNode expect(int length) {
        Handle model = step(length, HANDLE_BYTES + RecordLog.RECORD_BYTES);
        int bytes = HANDLE_BYTES + RecordLog.RECORD_BYTES;
        ByteBuffer record = fields.slice(HANDLE_BYTES, RecordLog.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return Session.expect(model, Told.of(record, Arrays.copyOfRange(body, bytes, length)));
    }

    private ObjectNode events(int length) {
        Handle model = step(length, 2 * HANDLE_BYTES);
        int count = fields.getInt(4);
        if (count < 0 || (long) count * RecordLog.RECORD_BYTES > length - 2 * HANDLE_BYTES) {
            throw new Refused("E_PARSE", Integer.toUnsignedString(count) + " records do not fit a body of " + length);
        }
        return Events.of(model, body, 2 * HANDLE_BYTES, count, length);
    }

    /** Something that is right or wrong. */
    private interface Question {
        ObjectNode answer();
    }

    // That a device is wrong, or that the model cannot say, is no error of the request.
    private void verdict(Question question) throws IOException {
        byte result = 1;
        ObjectNode answer;
        try {
            answer = Json.object().put("ok", true);
            answer.setAll(question.answer());
        } catch (Refused e) {
            if (!VERDICTS.contains(e.code())) {
                throw e;
            }
            result = 0;
            answer = e.reply();
        }
        byte[] text = Json.line(answer).getBytes(StandardCharsets.UTF_8);
        begin(VERDICT, 1 + text.length).put(result).put(text);
        end();
    }

    private void json(int length) throws IOException {
        JsonNode request = parse(0, length);
        ObjectNode answer = Json.object();
        if (request.path("id").isIntegralNumber()) {
            answer.set("id", request.path("id"));
        }
        answer.setAll(session.answer(request, length));
        write(answer.path("ok").asBoolean() ? JSON_REPLY : ERROR, answer);
    }

    private void error(Refused fault) throws IOException {
        write(ERROR, fault.reply());
    }

    private void write(int type, ObjectNode answer) throws IOException {
        byte[] text = Json.line(answer).getBytes(StandardCharsets.UTF_8);
        begin(type, text.length).put(text);
        end();
    }

    private ByteBuffer begin(int type, int bodyBytes) {
        if (reply.capacity() < HEAD_BYTES + bodyBytes) {
            replied = new byte[HEAD_BYTES + bodyBytes];
            reply = wrap(replied);
        }
        return reply.clear().putInt(bodyBytes + 1).put((byte) type);
    }

    private void end() throws IOException {
        out.write(replied, 0, reply.position());
        out.flush();
    }

    private void effects(Model model, byte[] answer) throws IOException {
        RecordLog log = model.log();
        int records = log.count() * RecordLog.RECORD_BYTES;
        begin(EFFECTS, EFFECTS_HEAD_BYTES + records + log.blobLength() + answer.length)
                .putInt(log.count())
                .putInt(model.hasMore() ? MORE : 0)
                .putLong(model.nowNs())
                .putLong(model.nextNs() == Model.NEVER ? -1 : model.nextNs())
                .putInt(answer.length)
                .putInt(log.blobLength())
                .put(log.records().array(), 0, records)
                .put(log.blob().array(), 0, log.blobLength())
                .put(answer);
        end();
        model.taken();
    }
}
