package io.metaroce.compliance.lt.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The suite's codec reads and writes the golden vectors, which a third program has written. */
class VectorsTest {
    private static final Path VECTORS = Checkout.spec().resolve("vectors");
    private final Codec codec = Codec.ofCheckout();

    @Test
    void everyPacketSaysWhatItsVectorSays() {
        List<JsonNode> vectors = vectors("wire");
        assertThat(vectors).hasSizeGreaterThan(30);
        for (JsonNode vector : vectors) {
            String name = vector.get("name").asString();
            byte[] bytes = HexFormat.of().parseHex(vector.get("hex").asString());
            Codec.Decoded decoded =
                    codec.decode(bytes, vector.get("crc_seed").numberValue().intValue());
            assertThat(decoded.drop()).as(name).isNull();
            Packet packet = decoded.whole();
            assertThat(packet.name()).as(name).isEqualTo(vector.get("packet").asString());
            compare(name, packet, vector.get("fields"));
            assertThat(codec.encode(packet, vector.get("crc_seed").numberValue().intValue()))
                    .as(name + " written again")
                    .isEqualTo(bytes);
        }
    }

    @Test
    void badPacketsFailAtTheStepTheirVectorNames() {
        for (JsonNode vector : vectors("bad")) {
            byte[] bytes = HexFormat.of().parseHex(vector.get("hex").asString());
            Codec.Decoded decoded =
                    codec.decode(bytes, vector.get("crc_seed").numberValue().intValue());
            assertThat(decoded.drop())
                    .as(vector.get("name").asString())
                    .isEqualTo(vector.get("drop").asString());
        }
    }

    @Test
    void theChecksumHasItsKnownAnswers() {
        for (JsonNode vector : Json.read(VECTORS.resolve("crc32c.json"))) {
            byte[] bytes = HexFormat.of().parseHex(vector.get("hex").asString());
            assertThat(Crc32c.of(bytes, bytes.length) & 0xFFFF_FFFFL)
                    .isEqualTo(vector.get("crc32c").asLong());
        }
    }

    @Test
    void whatIsWrittenFromFieldsAloneIsRead() {
        Packet ack = new Packet("ACK").set("psn", 7);
        ack.fields().put("path_blocks", List.of(new Fields().put("path_id", 2).put("bitmap", new long[] {5, -1})));
        Packet again = codec.decode(codec.encode(ack, 3), 3).whole();
        Fields block = again.fields().list("path_blocks").get(0);
        assertThat(block.get("words")).isEqualTo(2);
        assertThat(block.longs("bitmap")).containsExactly(5, -1);
    }

    private void compare(String vector, Packet packet, JsonNode wanted) {
        wanted.properties().forEach(entry -> {
            String field = entry.getKey();
            JsonNode value = entry.getValue();
            String where = vector + "." + field;
            switch (field) {
                case "payload" -> assertThat(hex(packet.payload())).as(where).isEqualTo(value.asString());
                case "padding" -> assertThat(packet.padding()).as(where).isEqualTo(value.asInt());
                case "options" -> compareOptions(where, packet, value);
                default -> compare(where, packet.fields(), field, value);
            }
        });
    }

    private void compareOptions(String where, Packet packet, JsonNode wanted) {
        assertThat(packet.options()).as(where).hasSize(wanted.size());
        for (int i = 0; i < wanted.size(); i++) {
            Packet.Option option = packet.options().get(i);
            JsonNode one = wanted.get(i);
            assertThat(option.type()).as(where).isEqualTo(one.get("type").asInt());
            assertThat(hex(option.value())).as(where).isEqualTo(one.get("value").asString());
            if (one.has("fields")) {
                Fields fields = codec.fieldsOf(option);
                one.get("fields").properties().forEach(e -> compare(where, fields, e.getKey(), e.getValue()));
                assertThat(codec.optionValue(one.get("name").asString(), fields))
                        .as(where + " written again")
                        .isEqualTo(option.value());
            }
        }
    }

    private void compare(String where, Fields fields, String field, JsonNode value) {
        if (value.isArray() && (value.isEmpty() || value.get(0).isObject())) {
            assertThat(fields.list(field)).as(where).hasSize(value.size());
            for (int i = 0; i < value.size(); i++) {
                Fields one = fields.list(field).get(i);
                value.get(i).properties().forEach(e -> compare(where, one, e.getKey(), e.getValue()));
            }
        } else if (value.isArray()) {
            List<Long> words = new ArrayList<>();
            value.forEach(word -> words.add(word.bigIntegerValue().longValue()));
            assertThat(fields.longs(field))
                    .as(where)
                    .containsExactly(words.stream().mapToLong(Long::longValue).toArray());
        } else if (value.isString()) {
            assertThat(hex(fields.bytes(field))).as(where).isEqualTo(value.asString());
        } else {
            assertThat(fields.get(field))
                    .as(where)
                    .isEqualTo(value.bigIntegerValue().longValue());
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static List<JsonNode> vectors(String folder) {
        try (Stream<Path> files = Files.list(VECTORS.resolve(folder))) {
            return files.filter(file -> Objects.toString(file).endsWith(".json"))
                    .sorted()
                    .map(Json::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
