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
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Noise on the pipe: each frame and each line gets a reply, none is a fault of the model, and the process lives on. */
class NoiseTest {
    private static final String[] WORDS = {
        "{\"op\":\"new\",\"seed\":%d}",
        "{\"op\":\"advance\",\"h\":1,\"t\":%d}",
        "{\"op\":\"hash\",\"h\":1}",
        "{\"op\":\"cmd\",\"h\":1,\"t\":%d,\"do\":\"mr_reg\",\"len\":64,\"access\":[\"remote_write\"]}",
        "{\"op\":\"cmd\",\"h\":1,\"t\":%d,\"do\":\"connect\",\"to\":\"10.0.0.2:49741\"}",
        "{\"op\":\"rx\",\"h\":1,\"t\":%d,\"from\":\"10.0.0.1:5\",\"hex\":\"10010000000000000000000000000000\"}",
        "{\"op\":\"expect\",\"h\":1,\"t_ns\":%d,\"kind\":\"TX\",\"hex\":\"1010000000000001000000000000000000000000\"}",
        "{\"op\":\"choose\",\"h\":1,\"t\":%d,\"point\":\"rebind\",\"value\":4294967296}",
        "{\"op\":\"events\",\"h\":1,\"batch\":[{\"kind\":\"ADVANCE\",\"t_ns\":%d}]}",
        "{\"op\":\"fork\",\"h\":1}",
        "{\"op\":\"state\",\"h\":1,\"level\":\"model\"}",
        "{\"op\":\"free\",\"h\":%d}",
        "{\"op\":\"cov\",\"h\":1}"
    };

    @Test
    void linesThatAreSpoiledGetAReplyEach() throws IOException {
        SplittableRandom random = new SplittableRandom(11);
        StringBuilder in = new StringBuilder("{\"op\":\"hello\",\"cosim\":1}\n{\"op\":\"new\"}\n");
        int lines = 1000;
        for (int i = 0; i < lines; i++) {
            StringBuilder line = new StringBuilder(word(random, i));
            for (int spoils = random.nextInt(3); spoils > 0; spoils--) {
                line.setCharAt(random.nextInt(line.length()), (char) (33 + random.nextInt(90)));
            }
            in.append(line).append('\n');
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean unused = new Server("test", SessionTest.CODEC)
                .serve(new ByteArrayInputStream(in.toString().getBytes(StandardCharsets.UTF_8)), out);
        String replies = out.toString(StandardCharsets.UTF_8);
        assertThat(replies.lines().count()).isEqualTo(lines + 2);
        assertThat(replies.lines().filter(line -> line.contains("E_INTERNAL"))).isEmpty();
        assertThat(replies.lines().filter(line -> line.contains("\"ok\":true")).count())
                .as("some are whole")
                .isGreaterThan(lines / 10);
    }

    private static String word(SplittableRandom random, int t) {
        return WORDS[random.nextInt(WORDS.length)].replace("%d", String.valueOf(t));
    }

    @Test
    void framesThatAreSpoiledGetAReplyEach() throws IOException {
        SplittableRandom random = new SplittableRandom(12);
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        in.writeBytes("{\"op\":\"hello\",\"cosim\":1,\"enc\":\"bin\"}\n".getBytes(StandardCharsets.UTF_8));
        frame(in, Frames.JSON, "{\"op\":\"new\"}".getBytes(StandardCharsets.UTF_8));
        int frames = 3000;
        for (int i = 0; i < frames; i++) {
            int type = 1 + random.nextInt(8);
            byte[] body = type == Frames.JSON
                    ? word(random, i).getBytes(StandardCharsets.UTF_8)
                    : new byte[random.nextInt(160)];
            if (type != Frames.JSON) {
                random.nextBytes(body);
                ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN).put(0, new byte[Math.min(4, body.length)]);
                if (body.length >= 12) {
                    ByteBuffer.wrap(body)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putInt(0, 1)
                            .putLong(4, i);
                }
                if (body.length >= 9 && type > Frames.CHOOSE) {
                    body[8] = (byte) random.nextInt(20); // a kind, or the number of records
                }
            } else if (random.nextInt(2) == 0) {
                body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            frame(in, type, body);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean unused = new Server("test", SessionTest.CODEC).serve(new ByteArrayInputStream(in.toByteArray()), out);
        ByteBuffer replies = ByteBuffer.wrap(out.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        while (replies.get() != '\n') {
            // the greeting
        }
        int count = 0;
        int effects = 0;
        while (replies.hasRemaining()) {
            byte[] body = new byte[replies.getInt() - 1];
            int type = replies.get() & 0xFF;
            replies.get(body);
            effects += type == Frames.EFFECTS ? 1 : 0;
            if (type == Frames.ERROR) {
                assertThat(Json.parse(new String(body, StandardCharsets.UTF_8))
                                .path("err")
                                .asString())
                        .as(new String(body, StandardCharsets.UTF_8))
                        .isNotEqualTo("E_INTERNAL");
            }
            count++;
        }
        assertThat(count).isEqualTo(frames + 1);
        assertThat(effects).as("some are whole").isGreaterThan(100);
    }
}
