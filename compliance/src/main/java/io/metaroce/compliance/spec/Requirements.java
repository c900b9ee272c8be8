package io.metaroce.compliance.spec;

import io.metaroce.compliance.spec.Requirement.Observation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * All requirements. {@link #generate} makes them from the chapters, from {@code observation.csv} (what packets,
 * completions and memory do not show, and what applies only to some) and from the revisions of the last time.
 */
public final class Requirements {
    /** The file, inside {@code spec/}. */
    public static final String FILE = "requirements.json";

    private static final String ALWAYS = "always";

    private final Map<String, Requirement> byId = new TreeMap<>();

    private Requirements(Collection<Requirement> all) {
        all.forEach(each -> byId.put(each.id(), each));
    }

    /** All, by id. */
    public List<Requirement> all() {
        return List.copyOf(byId.values());
    }

    /** The one of this id. */
    public @Nullable Requirement find(String id) {
        return byId.get(id);
    }

    /** Every MUST that packets, completions or memory show. */
    public List<Requirement> testable() {
        return byId.values().stream()
                .filter(each -> each.isMust() && each.isTestable())
                .toList();
    }

    /** Why a citation ({@code R-AREA-nnn@rev}) is not good, or null. */
    public @Nullable String fault(String citation) {
        int at = citation.indexOf('@');
        Requirement known = at < 0 ? null : byId.get(citation.substring(0, at));
        if (known == null) {
            return citation + " cites what the specification does not say";
        }
        return known.citation().equals(citation)
                ? null
                : citation + " is stale: the sentence has become " + known.citation() + "; read it and cite it anew";
    }

    // ---- the file

    /** Reads the file in {@code spec}. */
    public static Requirements load(Path spec) {
        return of(Json.read(spec.resolve(FILE)));
    }

    /** Reads the text of the file. */
    public static Requirements of(JsonNode root) {
        List<Requirement> all = new ArrayList<>();
        for (JsonNode node : root.get("requirements")) {
            List<String> aliases = new ArrayList<>();
            node.get("aliases").forEach(alias -> aliases.add(alias.asString()));
            all.add(new Requirement(
                    node.get("id").asString(),
                    node.get("rev").asInt(),
                    node.get("level").asString(),
                    node.get("origin").asString(),
                    node.get("section").asString(),
                    node.get("text").asString(),
                    node.get("text_sha256").asString(),
                    Observation.valueOf(node.get("observed").asString().toUpperCase(Locale.ROOT)),
                    node.get("applies_if").asString(),
                    node.get("reason").asString(),
                    aliases));
        }
        return new Requirements(all);
    }

    /** What the file should say, given the chapters and the revisions of what it says now. */
    public static String generate(Path spec) {
        Path file = spec.resolve(FILE);
        Requirements before = Files.exists(file) ? load(spec) : new Requirements(List.of());
        Map<String, String[]> hidden = observations(spec.resolve("observation.csv"));
        ObjectNode root = Json.object().put("schema", "requirements@1").put("spec", "MetaRoCE open draft 1");
        ArrayNode list = root.putArray("requirements");
        Map<String, Chapters.Sentence> sorted = new TreeMap<>();
        Chapters.read(spec).forEach(sentence -> sorted.put(sentence.id(), sentence));
        for (Chapters.Sentence sentence : sorted.values()) {
            String hash = Sha256.of(sentence.text());
            Requirement old = before.find(sentence.id());
            int rev = old == null ? 1 : old.sha256().equals(hash) ? old.rev() : old.rev() + 1;
            String[] row = hidden.remove(sentence.id());
            list.addObject()
                    .put("id", sentence.id())
                    .put("rev", rev)
                    .put("level", sentence.level())
                    .put("origin", sentence.origin())
                    .put("section", sentence.section())
                    .put("text", sentence.text())
                    .put("text_sha256", hash)
                    .put("observed", row == null ? "wire" : row[1])
                    .put("applies_if", row == null ? ALWAYS : row[2])
                    .put("reason", row == null ? "" : row[3])
                    .set("aliases", Json.array());
        }
        if (!hidden.isEmpty()) {
            throw new IllegalStateException("observation.csv speaks of unknown tags: " + hidden.keySet());
        }
        return Json.pretty(root);
    }

    private static Map<String, String[]> observations(Path file) {
        Map<String, String[]> rows = new TreeMap<>();
        try {
            for (String line : Files.readAllLines(file)) {
                String[] row = line.split(",", 4);
                if (row.length != 4) {
                    throw new IllegalStateException(
                            "observation.csv: not of the form tag,observed,applies_if,reason: " + line);
                }
                rows.put(row[0], row);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        rows.remove("tag");
        return rows;
    }
}
