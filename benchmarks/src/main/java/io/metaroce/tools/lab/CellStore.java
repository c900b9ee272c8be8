package io.metaroce.tools.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Results of cells in a folder, a file each, so that a long run that was interrupted goes on where it was. A result
 * counts only for the code that made it: the file names the {@link Fingerprint} of that. Any thread may use it.
 */
public final class CellStore {
    private static final JsonMapper MAPPER = new JsonMapper();

    private final @Nullable Path folder;
    private final String code;

    private CellStore(@Nullable Path folder, String code) {
        this.folder = folder;
        this.code = code;
    }

    /** A store that keeps nothing. */
    public static CellStore none() {
        return new CellStore(null, "");
    }

    /** A store in this folder, which is made if it is missing. */
    public static CellStore in(Path folder) throws IOException {
        Files.createDirectories(folder);
        return new CellStore(folder, Fingerprint.ofThisCode());
    }

    /** The result of a cell from an earlier run of the same code, or null. */
    @Nullable
    CellResult find(Cell cell) throws IOException {
        if (folder == null) {
            return null;
        }
        Path file = folder.resolve(cell.id() + ".json");
        if (!Files.exists(file)) {
            return null;
        }
        try {
            JsonNode root = MAPPER.readTree(Files.readAllBytes(file));
            return root.path("code").asString("").equals(code) ? result(root) : null;
        } catch (JacksonException | IllegalArgumentException e) {
            return null; // not a file of ours, or one of which a part is missing: the cell is run again
        }
    }

    /** Keeps a result. A file is complete or not there. */
    void keep(Cell cell, CellResult result) throws IOException {
        if (folder == null) {
            return;
        }
        Path file = folder.resolve(cell.id() + ".json");
        Path whole = Files.createTempFile(folder, cell.id(), ".part");
        try {
            Files.writeString(
                    whole, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree(cell, result)) + "\n");
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(whole);
        }
    }

    private ObjectNode tree(Cell cell, CellResult result) {
        ObjectNode root = MAPPER.createObjectNode()
                .put("schema_version", 1)
                .put("scenario", cell.scenario())
                .put("case", cell.caseName())
                .put("experiment", cell.experiment())
                .put("seed", cell.seed())
                .put("code", code)
                .put("failure", result.failure());
        ObjectNode knobs = root.putObject("knobs");
        cell.knobs().all().forEach(knobs::put);
        ArrayNode events = root.putArray("events");
        cell.events()
                .forEach(event -> events.addObject().put("at_ns", event.atNs()).put("what", event.what()));
        ObjectNode figures = root.putObject("figures");
        result.figures().forEach(figures::put);
        ArrayNode series = root.putArray("series");
        for (Series one : result.series()) {
            ObjectNode node = series.addObject().put("name", one.name());
            ArrayNode x = node.putArray("x");
            one.x().forEach(x::add);
            ArrayNode y = node.putArray("y");
            one.y().forEach(y::add);
        }
        return root;
    }

    private static CellResult result(JsonNode root) {
        Map<String, Double> figures = new TreeMap<>();
        root.path("figures")
                .properties()
                .forEach(entry -> figures.put(entry.getKey(), entry.getValue().asDouble()));
        List<Series> series = new ArrayList<>();
        for (JsonNode one : root.path("series")) {
            series.add(new Series(one.path("name").asString(""), doubles(one.path("x")), doubles(one.path("y"))));
        }
        return new CellResult(figures, series, root.path("failure").asString(""));
    }

    private static List<Double> doubles(JsonNode list) {
        return list.valueStream().map(JsonNode::asDouble).toList();
    }
}
