package io.metaroce.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The option to write results to a file besides, as JSON. */
public final class JsonFile {
    private static final JsonMapper MAPPER = new JsonMapper();

    @Option(names = "--out_json_file", description = "Write the results as JSON to this file.")
    private @Nullable Path file;

    /** Lets {@code results} fill the root object and writes it, if a file was asked for. */
    public void write(Consumer<ObjectNode> results) throws IOException {
        if (file != null) {
            write(file, results);
        }
    }

    /** The same for a file that is always written. */
    static void write(Path file, Consumer<ObjectNode> results) throws IOException {
        ObjectNode root = MAPPER.createObjectNode().put("schema_version", 1);
        results.accept(root);
        Files.writeString(file, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n");
    }
}
