package io.metaroce.tools.wireshark;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.capture.Envelope;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.sim.PcapWriter;
import io.metaroce.tools.Checkout;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The Wireshark dissector is made from the table of wire constants and reads every golden vector as it is meant. */
class DissectorTest {
    private static final String PORT = "49741";

    @Test
    void theCheckedInFileIsWhatTheTableGives() throws IOException {
        String text = DissectorFile.text();
        if ("write".equals(System.getProperty("metaroce.snapshots"))) {
            Files.writeString(DissectorFile.path(), text);
        }
        assertThat(Files.readString(DissectorFile.path()))
                .as("docs/wireshark/metaroce.lua; -Dmetaroce.snapshots=write makes it anew")
                .isEqualTo(text);
    }

    @Test
    void everyGoldenVectorIsReadFieldByField(@TempDir Path folder) throws Exception {
        Tshark tshark = Tshark.orSkip(folder);
        List<JsonNode> vectors = vectors("wire");
        List<JsonNode> layers = tshark.layers(capture(folder, vectors), PORT);
        assertThat(layers).hasSameSizeAs(vectors);
        for (int i = 0; i < vectors.size(); i++) {
            JsonNode vector = vectors.get(i);
            Map<String, List<String>> read = new TreeMap<>();
            collect(layers.get(i).get("metaroce"), read);
            assertThat(layers.get(i).toString())
                    .as(vector.get("name").asString())
                    .doesNotContain("metaroce.malformed", "metaroce.unknown", "_ws.malformed");
            new Expected(vector)
                    .all()
                    .forEach((name, values) -> assertThat(read.get(name))
                            .as(vector.get("name").asString() + " " + name)
                            .isEqualTo(values));
        }
    }

    @Test
    void trailersOfTheHandshakeAreChecked(@TempDir Path folder) throws Exception {
        Tshark tshark = Tshark.orSkip(folder);
        Path capture = capture(folder, vectors("wire"));
        assertThat(tshark.fields(capture, PORT, "metaroce.trailer.status == \"right\"", "frame.number"))
                .hasSizeGreaterThan(8);
        // The others have seeds of their own, whatever the requests among the vectors say.
        String handshake = "metaroce.trailer.wrong && metaroce.base.opcode <= 6";
        assertThat(tshark.fields(capture, PORT, handshake, "frame.number")).isEmpty();
    }

    @Test
    void securedPacketsShowTheirHeaderOnly(@TempDir Path folder) throws Exception {
        Tshark tshark = Tshark.orSkip(folder);
        JsonNode all =
                new JsonMapper().readTree(Files.readString(Checkout.root().resolve("spec/vectors/secured.json")));
        List<JsonNode> packets = new ArrayList<>();
        all.findParents("hex").forEach(packets::add);
        Path capture = capture(folder, packets);
        assertThat(packets).isNotEmpty();
        assertThat(tshark.fields(capture, PORT, "metaroce.tag && !metaroce.malformed", "metaroce.secured.counter"))
                .hasSameSizeAs(packets);
    }

    @Test
    void everyBadVectorIsFlagged(@TempDir Path folder) throws Exception {
        Tshark tshark = Tshark.orSkip(folder);
        List<JsonNode> vectors = vectors("bad").stream()
                .filter(vector -> !vector.get("hex").asString().isEmpty())
                // Both are well formed: what was agreed on, key or seed, is known to the endpoints alone.
                .filter(vector -> !vector.get("name").asString().equals("version_secured"))
                .filter(vector -> !vector.get("drop").asString().equals("integrity"))
                .toList();
        Path capture = capture(folder, vectors);
        List<String> flagged = tshark.fields(capture, PORT, "metaroce.malformed || metaroce.unknown", "frame.number");
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < vectors.size(); i++) {
            if (!flagged.contains(Integer.toString(i + 1))) {
                missing.add(vectors.get(i).get("name").asString());
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void oneByteOfZeroIsAQuestionToTheNetworkAndNoPacket(@TempDir Path folder) throws Exception {
        Tshark tshark = Tshark.orSkip(folder);
        JsonNode bytes = new JsonMapper().readTree("[{\"hex\": \"00\"}, {\"hex\": \"10\"}, {\"hex\": \"0000\"}]");
        Path capture = capture(folder, bytes.valueStream().toList());
        assertThat(tshark.fields(capture, PORT, "metaroce.malformed", "frame.number"))
                .containsExactly("2", "3");
        assertThat(tshark.fields(capture, PORT, "metaroce && !metaroce.malformed", "_ws.col.Info"))
                .containsExactly("no packet: asks the network whether the port is open");
    }

    private static List<JsonNode> vectors(String kind) throws IOException {
        List<JsonNode> all = new ArrayList<>();
        try (Stream<Path> files =
                Files.list(Checkout.root().resolve("spec/vectors").resolve(kind))) {
            for (Path file : files.sorted().toList()) {
                all.add(new JsonMapper().readTree(Files.readString(file)));
            }
        }
        return all;
    }

    private static Path capture(Path folder, List<JsonNode> vectors) throws IOException {
        Path file = folder.resolve("vectors.pcap");
        try (OutputStream out = Files.newOutputStream(file)) {
            PcapWriter writer = new PcapWriter(out);
            Address from = Address.ipv4(0x0A000001, 50000);
            Address to = Address.ipv4(0x0A000002, Integer.parseInt(PORT));
            for (JsonNode vector : vectors) {
                byte[] bytes = HexFormat.of().parseHex(vector.get("hex").asString());
                Envelope envelope = new Envelope(1_000, from, to, TrafficClass.DATA, Ecn.ECT_0);
                writer.write(envelope, ByteBuffer.wrap(bytes), 0, bytes.length);
            }
        }
        return file;
    }

    /** Every field of the dissector anywhere below, in order, by name; numbers as unsigned decimals. */
    private static void collect(JsonNode node, Map<String, List<String>> into) {
        node.forEachEntry((name, value) -> {
            List<JsonNode> values = value.isArray() ? new ArrayList<>(value.values()) : List.of(value);
            for (JsonNode one : values) {
                if (one.isObject()) {
                    collect(one, into);
                } else {
                    into.computeIfAbsent(name, key -> new ArrayList<>()).add(plain(one.asString()));
                }
            }
        });
    }

    private static String plain(String shown) {
        if (shown.startsWith("0x")) {
            return Long.toUnsignedString(Long.parseUnsignedLong(shown.substring(2), 16));
        }
        return shown.replace(":", "");
    }
}
