package io.metaroce.compliance.spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON in one way for the whole suite: order as given, two blanks, line feeds, the same bytes on every platform. */
public final class Json {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final DefaultPrettyPrinter PRINTER = new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"));

    private Json() {}

    /** An empty object. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** An empty array. */
    public static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    /** Parses one text. */
    public static JsonNode parse(String text) {
        return MAPPER.readTree(text);
    }

    /** Reads a file. */
    public static JsonNode read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file.getFileName(), e);
        }
    }

    /** One line. */
    public static String line(JsonNode node) {
        return MAPPER.writeValueAsString(node);
    }

    /** Indented, with a line end. */
    public static String pretty(JsonNode node) {
        return MAPPER.writer().with(PRINTER).writeValueAsString(node) + "\n";
    }
}
