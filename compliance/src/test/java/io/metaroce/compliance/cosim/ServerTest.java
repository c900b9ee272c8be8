package io.metaroce.compliance.cosim;

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

    private static void frame(ByteArrayOutputStream to, int type, byte[] body) {
        to.writeBytes(ByteBuffer.allocate(5)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(body.length + 1)
                .put((byte) type)
                .array());
        to.writeBytes(body);
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
