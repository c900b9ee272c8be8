package io.metaroce.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The table and the vectors of {@code spec/}, read once. */
public final class WireFiles {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Path SPEC = root().resolve("spec");

    /** {@code spec/wire/packets.json}. */
    static final JsonNode TABLE = read(SPEC.resolve("wire/packets.json"));

    /** {@code spec/vectors/crc32c.json}. */
    static final JsonNode CRC = read(SPEC.resolve("vectors/crc32c.json"));

    /** {@code spec/vectors/numbers.json}. */
    static final JsonNode NUMBERS = read(SPEC.resolve("vectors/numbers.json"));

    /** {@code spec/vectors/secured.json}. */
    @SuppressWarnings("exports") // for the other rooms' tests of this module
    public static final JsonNode SECURED = read(SPEC.resolve("vectors/secured.json"));

    private WireFiles() {}

    /** All files of {@code spec/vectors/wire}. */
    static List<Vector> good() {
        return vectors("wire");
    }

    /** All files of {@code spec/vectors/bad}. */
    static List<Vector> bad() {
        return vectors("bad");
    }

    /** The UDP payload of every vector: good, bad and secured. */
    public static List<byte[]> payloads() {
        List<byte[]> all = new ArrayList<>();
        for (Vector one : good()) {
            all.add(one.bytes());
        }
        for (Vector one : bad()) {
            all.add(one.bytes());
        }
        for (JsonNode hex : SECURED.findValues("hex")) {
            all.add(HexFormat.of().parseHex(hex.asString()));
        }
        return all;
    }

    /** One vector by name. */
    static Vector good(String name) {
        return new Vector(read(SPEC.resolve("vectors/wire/" + name + ".json")));
    }

    /** Row of the table with this opcode. */
    static JsonNode packet(int opcode) {
        for (JsonNode row : TABLE.get("packets")) {
            if (number(row.get("opcode")) == opcode) {
                return row;
            }
        }
        throw new IllegalArgumentException("no packet with opcode " + opcode);
    }

    /** The headers of a packet but the base header, as names. */
    static List<String> layout(JsonNode packet) {
        List<String> names = new ArrayList<>();
        packet.get("layout").forEach(name -> names.add(name.asString()));
        return names;
    }

    /** A number that is written as such or in hexadecimal. */
    static int number(JsonNode node) {
        return node.isString()
                ? Integer.decode(node.asString())
                : node.bigIntegerValue().intValue();
    }

    /** A text, or the empty one when it is not there. */
    static String text(JsonNode node, String key) {
        return node.has(key) ? node.get(key).asString() : "";
    }

    /** A name of the table as Java writes constants. */
    static String constant(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    /** A name of the table as Java writes members. */
    static String camel(String name) {
        StringBuilder out = new StringBuilder();
        for (String word : name.split("_", -1)) {
            boolean isFirst = out.length() == 0;
            out.append(isFirst ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return out.toString();
    }

    private static List<Vector> vectors(String folder) {
        try (Stream<Path> files = Files.list(SPEC.resolve("vectors").resolve(folder))) {
            return files.sorted().map(file -> new Vector(read(file))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode read(Path file) {
        return JSON.readTree(file.toFile());
    }

    private static Path root() {
        for (Path start : List.of(Path.of("").toAbsolutePath(), ownLocation())) {
            for (Path folder = start; folder != null; folder = folder.getParent()) {
                if (Files.exists(folder.resolve("spec/wire/packets.json"))) {
                    return folder;
                }
            }
        }
        throw new IllegalStateException("no folder with spec/wire/packets.json above the working directory");
    }

    private static Path ownLocation() {
        try {
            return Path.of(WireFiles.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
