package io.metaroce.compliance.cosim;

import static io.metaroce.compliance.cosim.BinaryFrames.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.spec.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Lines and frames as they go over a pipe. */
class ServerTest {
    private static final String HELLO = "{\"id\":1,\"op\":\"hello\",\"cosim\":1,\"enc\":\"%s\"}\n";

    @Test
    void aClientThatSpeaksInLinesIsServedUntilItSaysGoodBye() throws IOException {
        List<JsonNode> replies = lines("{\"id\":0,\"op\":\"new\"}\n\n{\"id\":4,\"op\":\"hello\",\"cosim\":9}\nno JSON\n"
                + HELLO.formatted("ndjson")
                + "{\"id\":2,\"op\":\"new\"}\n{\"id\":3,\"op\":\"bye\"}\nnot read any more\n");
        assertThat(replies).hasSize(6);
        assertThat(replies.get(0).path("err").asString()).isEqualTo("E_OP");
        assertThat(replies.get(1).path("err").asString()).isEqualTo("E_VERSION");
        assertThat(replies.get(1).path("id").asInt()).isEqualTo(4);
        assertThat(replies.get(2).path("err").asString()).isEqualTo("E_PARSE");
        assertThat(replies.get(3).path("record_bytes").asInt()).isEqualTo(64);
        assertThat(replies.get(4).path("h").asInt()).isEqualTo(1);
        assertThat(replies.get(5).path("ok").asBoolean()).isTrue();
    }

    @Test
    void framesCarryRecordsAndBytes() throws IOException {
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        in.writeBytes(HELLO.formatted("bin").getBytes(StandardCharsets.UTF_8));
        frame(in, Frames.JSON, "{\"op\":\"new\",\"role\":\"initiator\"}".getBytes(StandardCharsets.UTF_8));
        frame(in, Frames.CMD, join(step(1, 7), "{\"do\":\"connect\",\"to\":\"10.0.0.2:49741\"}"));
        byte[] route = new byte[24];
        ByteBuffer.wrap(route).put(0, (byte) 10).put(16, (byte) 1);
        frame(in, Frames.RX, join(join(step(1, 9), route), new byte[] {1, 2, 3}));
        frame(in, Frames.ADVANCE, step(1, 60_000_000));
        frame(in, Frames.JSON, "{\"op\":\"bye\"}".getBytes(StandardCharsets.UTF_8));
        ByteBuffer out = replies(in.toByteArray());

        ByteBuffer made = next(out, Frames.JSON_REPLY);
        assertThat(made.remaining()).isPositive();
        ByteBuffer connecting = next(out, Frames.EFFECTS);
        int count = connecting.getInt(0);
        assertThat(count).isEqualTo(1);
        assertThat(connecting.getLong(8)).as("reached").isEqualTo(7);
        assertThat(connecting.getLong(16)).as("next").isGreaterThan(7);
        assertThat(connecting.get(32 + 4)).as("kind").isEqualTo((byte) 8);
        int length = connecting.getInt(32 + 36);
        assertThat(connecting.getInt(28)).as("blob").isEqualTo(length);
        assertThat(connecting.get(32 + 64)).as("first byte of the packet").isEqualTo((byte) 0x11);
        byte[] answer = new byte[connecting.getInt(24)];
        connecting.get(32 + 64 + length, answer);
        assertThat(Json.parse(new String(answer, StandardCharsets.UTF_8)).has("conn"))
                .isTrue();
        ByteBuffer dropped = next(out, Frames.EFFECTS);
        assertThat(dropped.get(32 + 4)).as("kind").isEqualTo((byte) 2);
        assertThat(dropped.get(32 + 5)).as("reason").isEqualTo((byte) 1);
        ByteBuffer waited = next(out, Frames.EFFECTS);
        assertThat(waited.get(32 + 4)).as("kind").isEqualTo((byte) 7);
        assertThat(next(out, Frames.JSON_REPLY).remaining()).isPositive();
        assertThat(out.hasRemaining()).isFalse();
    }

    @Test
    void framesAskWhatIsRight() throws IOException {
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        in.writeBytes(HELLO.formatted("bin").getBytes(StandardCharsets.UTF_8));
        frame(in, Frames.JSON, "{\"op\":\"new\"}".getBytes(StandardCharsets.UTF_8));
        frame(in, Frames.CHOOSE, choice(6, 4711));
        frame(in, Frames.CHOOSE, choice(3, 1));
        byte[] handle = {1, 0, 0, 0};
        byte[] datagram = {1, 2, 3};
        byte[] dropped = record(2, 1, 30, 3);
        byte[] batch = join(join(join(handle, new byte[] {2, 0, 0, 0}), record(16, 0, 30, 3)), join(dropped, datagram));
        frame(in, Frames.EVENTS, batch);
        frame(in, Frames.EXPECT, join(handle, dropped));
        frame(in, Frames.EVENTS, batch);
        frame(in, Frames.EXPECT, join(handle, record(5, 0, 30, 0)));
        ByteBuffer out = replies(in.toByteArray());
        assertThat(next(out, Frames.JSON_REPLY).remaining()).isPositive();
        assertThat(verdict(out)).isEqualTo("1 allowed");
        assertThat(verdict(out)).isEqualTo("0 E_UNSUPPORTED");
        assertThat(verdict(out)).isEqualTo("1 ok");
        assertThat(verdict(out)).isEqualTo("0 E_MISMATCH");
        assertThat(verdict(out)).isEqualTo("1 ok");
        assertThat(verdict(out)).isEqualTo("0 E_MISMATCH");
        assertThat(out.hasRemaining()).isFalse();
    }

    private static byte[] choice(int point, long value) {
        return ByteBuffer.allocate(28)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(1)
                .putLong(30)
                .putShort((short) point)
                .putShort((short) 0)
                .putInt(0)
                .putLong(value)
                .array();
    }

    private static byte[] record(int kind, int reason, long timeNs, int length) {
        return ByteBuffer.allocate(64)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(4, (byte) kind)
                .put(5, (byte) reason)
                .putLong(8, timeNs)
                .putInt(36, length)
                .putLong(48, kind == 16 ? 7L << 16 : kind == 5 ? 2 : 0) // a port; or what a state tells
                .array();
    }

    private static String verdict(ByteBuffer out) {
        byte[] text = new byte[out.getInt(out.position()) - 2];
        ByteBuffer body = next(out, Frames.VERDICT);
        body.get(1, text);
        JsonNode answer = Json.parse(new String(text, StandardCharsets.UTF_8));
        return body.get(0) + " "
                + answer.path("result").asString(answer.path("err").asString(""));
    }

    @Test
    void framesThatAreNoneGetAnErrorAndTheNextIsServed() throws IOException {
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        in.writeBytes(HELLO.formatted("bin").getBytes(StandardCharsets.UTF_8));
        frame(in, 0x77, new byte[0]);
        frame(in, Frames.RX, new byte[3]);
        frame(in, Frames.ADVANCE, step(5, 1));
        frame(in, Frames.JSON, new byte[] {'{'});
        frame(in, Frames.CMD, step(5, 1));
        frame(in, Frames.JSON, "{\"op\":\"new\"}".getBytes(StandardCharsets.UTF_8));
        frame(in, Frames.ADVANCE, step(1, -1));
        frame(in, Frames.CMD, join(step(1, 1), "[]"));
        in.writeBytes(new byte[] {-1, -1, -1, -1, 1, 2, 3});
        ByteBuffer out = replies(in.toByteArray());
        for (String error : List.of("E_OP", "E_PARSE", "E_HANDLE", "E_PARSE", "E_HANDLE")) {
            assertThat(error(out)).isEqualTo(error);
        }
        assertThat(next(out, Frames.JSON_REPLY).remaining()).isPositive();
        for (String error : List.of("E_ARG", "E_PARSE", "E_PARSE")) {
            assertThat(error(out)).isEqualTo(error);
        }
        assertThat(out.hasRemaining()).isFalse();
    }

    private static String error(ByteBuffer out) {
        byte[] text = new byte[out.getInt(out.position()) - 1];
        ByteBuffer body = next(out, Frames.ERROR);
        body.get(0, text);
        return Json.parse(new String(text, StandardCharsets.UTF_8)).path("err").asString();
    }

    private static byte[] step(int handle, long timeNs) {
        return ByteBuffer.allocate(12)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(handle)
                .putLong(timeNs)
                .array();
    }

    private static byte[] join(byte[] first, String second) {
        return join(first, second.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] join(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    private static ByteBuffer next(ByteBuffer out, int type) {
        int length = out.getInt() - 1;
        assertThat(out.get() & 0xFF).isEqualTo(type);
        ByteBuffer body = out.slice(out.position(), length).order(ByteOrder.LITTLE_ENDIAN);
        out.position(out.position() + length);
        return body;
    }

    private static ByteBuffer replies(byte[] in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean unused = new Server("test", SessionTest.CODEC).serve(new ByteArrayInputStream(in), out);
        byte[] all = out.toByteArray();
        int line = 0;
        while (all[line] != '\n') {
            line++;
        }
        return ByteBuffer.wrap(all).position(line + 1).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static List<JsonNode> lines(String in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean unused = new Server("test", SessionTest.CODEC)
                .serve(new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)), out);
        return out.toString(StandardCharsets.UTF_8).lines().map(Json::parse).toList();
    }
}
