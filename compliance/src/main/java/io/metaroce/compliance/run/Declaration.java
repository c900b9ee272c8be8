package io.metaroce.compliance.run;

import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.tests.Catalogue;
import io.metaroce.compliance.verdict.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * What an implementation says that it has and has not, item by item. Only what it declares not to have makes a test
 * inapplicable: an item nobody speaks of leaves the test without a verdict.
 */
public final class Declaration {
    private final String name;
    private final Map<String, String> items;

    /** What a declaration says of an item. */
    public enum Answer {
        /** It is there. */
        YES,
        /** It is not there. */
        NO,
        /** Nobody has said. */
        SILENT
    }

    private Declaration(String name, Map<String, String> items) {
        this.name = name;
        this.items = new TreeMap<>(items);
    }

    /** The items there are: everything some test needs. */
    public static Set<String> items() {
        Set<String> items = new TreeSet<>();
        Catalogue.all().forEach(test -> items.addAll(test.needs()));
        return items;
    }

    /**
     * Reads a file: {@code {"schema": "ics@1", "implementation": "…", "items": {"reads": "yes", "vtime": "no: why"}}}.
     *
     * @throws IllegalArgumentException when an item is missing or unknown, or is neither yes nor no with a reason
     */
    public static Declaration read(Path file) {
        JsonNode root = Json.read(file);
        Map<String, String> said = new TreeMap<>();
        root.path("items")
                .properties()
                .forEach(entry -> said.put(entry.getKey(), entry.getValue().asString("")));
        List<String> faults = new ArrayList<>();
        for (String item : items()) {
            String answer = said.getOrDefault(item, "");
            if (!answer.equals("yes") && !(answer.startsWith("no: ") && answer.length() > 5)) {
                faults.add(item + (answer.isEmpty() ? " is missing" : " is neither yes nor \"no: reason\""));
            }
        }
        for (String item : said.keySet()) {
            if (!items().contains(item)) {
                faults.add(item + " is unknown");
            }
        }
        if (!root.path("schema").asString("").equals("ics@1") || !faults.isEmpty()) {
            throw new IllegalArgumentException(file + " is no declaration ics@1: " + faults);
        }
        return new Declaration(root.path("implementation").asString("?"), said);
    }

    /** What an agent claims of itself in its answer to hello, and that it has nothing else. */
    public static Declaration claimed(JsonNode about) {
        Map<String, String> said = new TreeMap<>();
        items().forEach(item -> said.put(item, "no: not claimed"));
        about.path("caps").forEach(cap -> said.put(cap.asString(), "yes"));
        return new Declaration("as the agent claims", said);
    }

    /** The same, where nothing is known of what it does not claim. */
    public static Declaration silent(JsonNode about) {
        Map<String, String> said = new TreeMap<>();
        about.path("caps").forEach(cap -> said.put(cap.asString(), "yes"));
        return new Declaration("none", said);
    }

    /** Whose declaration it is. */
    public String name() {
        return name;
    }

    /** What it says of an item. */
    public Answer of(String item) {
        String said = items.getOrDefault(item, "");
        return said.equals("yes") ? Answer.YES : said.isEmpty() ? Answer.SILENT : Answer.NO;
    }

    /** Why an item is not there, to be put behind its name. */
    String why(String item) {
        return items.getOrDefault(item, "").replaceFirst("^no", "");
    }

    /** Where it and the agent's own claims disagree; empty when they do not. */
    public List<String> disagreements(JsonNode about) {
        Set<String> claimed = new TreeSet<>();
        about.path("caps").forEach(cap -> claimed.add(cap.asString()));
        List<String> found = new ArrayList<>();
        for (String item : items()) {
            if (of(item) == Answer.YES && !claimed.contains(item)) {
                found.add(item + " is declared and not claimed by the agent");
            }
            if (of(item) == Answer.NO && claimed.contains(item)) {
                found.add(item + " is claimed by the agent and declared not to be there");
            }
        }
        return found;
    }

    /** Items that are declared, of which some test of these results needs one, and no test that needs it passed. */
    public List<String> unproved(List<Result> results) {
        List<String> found = new ArrayList<>();
        for (String item : items()) {
            List<Result> needing = results.stream()
                    .filter(result -> result.test().needs().contains(item))
                    .toList();
            boolean isProved = needing.stream().anyMatch(result -> result.verdict() == Verdict.PASS);
            if (of(item) == Answer.YES && !needing.isEmpty() && !isProved) {
                found.add(item);
            }
        }
        return found;
    }

    /** The whole as JSON. */
    public JsonNode json() {
        var root = Json.object().put("implementation", name);
        var node = root.putObject("items");
        items.forEach(node::put);
        return root;
    }
}
