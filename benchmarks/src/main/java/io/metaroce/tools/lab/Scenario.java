package io.metaroce.tools.lab;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One scenario of the laboratory, as its file has it.
 *
 * @param name short name, such as E5
 * @param title what it is about
 * @param bound what its figures are divided by, in words
 * @param seeds seeds of the full run
 * @param quickSeeds seeds of the quick one
 * @param cases its cases with all their knobs
 * @param claims what is claimed of them
 * @param pictures what is drawn of them
 * @param grid those of its cases that are every workload with every switch
 */
public record Scenario(
        String name,
        String title,
        String bound,
        int seeds,
        int quickSeeds,
        List<Case> cases,
        List<Claim> claims,
        List<Picture> pictures,
        Grid grid) {
    /** Name of the one that switches mechanisms off. */
    public static final String ABLATIONS = "ablations";

    /** Names of all scenarios, in their order. */
    public static final List<String> NAMES = List.of(
            "E0", "E1", "E2", "E3", "E4", "E5", "E5-ring", "E6", "E7", "E8", "E9", "E10", "E11", "E12", "E13",
            ABLATIONS);

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String PROFILES = "profiles.json";
    private static final String FOLDER = "/lab/";
    private static final String OURS = "metaroce";

    /**
     * One point of a scenario.
     *
     * @param name its name
     * @param experiment what is done
     * @param isQuick whether the quick run does it
     * @param seedsMax seeds of the full run at most: few where one takes long
     * @param baseline name of the case it is compared with, or empty
     * @param times how often the baseline is the bound
     * @param rivals names of cases of which it is compared with the best, seed by seed
     * @param knobs everything the experiment is told
     * @param quick what the quick run is told instead
     * @param events what happens to the fabric, in order of time
     */
    public record Case(
            String name,
            String experiment,
            boolean isQuick,
            int seedsMax,
            String baseline,
            double times,
            List<String> rivals,
            Knobs knobs,
            Knobs quick,
            List<Event> events) {
        /** What the experiment is told. */
        public Knobs knobs(boolean quickly) {
            return quickly ? knobs.with(quick) : knobs;
        }
    }

    /**
     * What is claimed of a figure.
     *
     * @param id name of the claim
     * @param text the claim in words
     * @param caseName case it is about
     * @param metric figure it is about
     * @param isUpperLimit whether the figure must not exceed the lines; it must reach them otherwise
     * @param bound what would be perfect
     * @param pass line of what is reproduced
     * @param stretch line of what is beaten
     */
    public record Claim(
            String id,
            String text,
            String caseName,
            String metric,
            boolean isUpperLimit,
            double bound,
            double pass,
            double stretch) {
        /** Whether a figure is within a line. */
        public boolean meets(double figure, double line) {
            return isUpperLimit ? figure <= line : figure >= line;
        }
    }

    /** The case with this name. */
    public Case caseNamed(String caseName) {
        for (Case one : cases) {
            if (one.name().equals(caseName)) {
                return one;
            }
        }
        throw new IllegalArgumentException(name + " has no case '" + caseName + "'; there are "
                + cases.stream().map(Case::name).toList());
    }

    /** Reads the scenarios with these names, or all if there are none. */
    public static List<Scenario> all(List<String> names) throws IOException {
        List<Scenario> all = new ArrayList<>();
        for (String name : names.isEmpty() ? NAMES : new LinkedHashSet<>(names)) {
            all.add(named(name));
        }
        return all;
    }

    /** Reads a scenario by name. */
    public static Scenario named(String name) throws IOException {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException("no scenario is called " + name + "; there are " + NAMES);
        }
        JsonNode root = read("scenarios/" + name + ".json");
        Reader reader = new Reader(root, read(PROFILES), read("transports.json"));
        List<Case> cases = new ArrayList<>();
        for (JsonNode one : root.path("cases")) {
            cases.add(reader.read(one, one.path("name").asString(""), Knobs.NONE));
        }
        for (JsonNode one : root.path("workloads")) {
            for (JsonNode other : root.path("switches")) {
                String caseName = Grid.caseName(
                        one.path("name").asString(""), other.path("name").asString(""));
                cases.add(reader.read(one, caseName, knobs(other.path("knobs"))));
            }
        }
        List<Claim> claims = new ArrayList<>();
        root.path("claims").forEach(one -> claims.add(claim(one)));
        List<Picture> pictures = new ArrayList<>();
        root.path("pictures").forEach(one -> pictures.add(Picture.read(one)));
        return new Scenario(
                name,
                root.path("title").asString(""),
                root.path("bound").asString(""),
                root.path("seeds").asInt(20),
                root.path("quick").path("seeds").asInt(1),
                List.copyOf(cases),
                List.copyOf(claims),
                List.copyOf(pictures),
                Grid.read(root));
    }

    /** Reads cases of a file. */
    private record Reader(JsonNode root, JsonNode profiles, JsonNode transports) {
        /** The case of this name; {@code more} goes over its own knobs. */
        Case read(JsonNode one, String name, Knobs more) {
            String profile = one.path("profile").asString(root.path("profile").asString(""));
            String transport = one.path("transport").asString(OURS);
            return new Case(
                    name,
                    one.path("experiment").asString(root.path("experiment").asString("")),
                    one.path("quick").asBoolean(true),
                    one.path("seeds").asInt(Integer.MAX_VALUE),
                    one.path("baseline").asString(""),
                    one.path("times").asDouble(1),
                    texts(one.path("rivals")),
                    knobsOf(profiles, profile, name + ": no profile")
                            .with(knobsOf(transports, transport, name + ": no transport"))
                            .with(knobs(root.path("knobs")))
                            .with(knobs(one.path("knobs")))
                            .with(more),
                    knobs(root.path("quick").path("knobs")),
                    events(one.path("events")));
        }
    }

    /** The knobs of a profile, a fabric that has a name. */
    static Knobs profile(String name) throws IOException {
        return knobsOf(read(PROFILES), name, "no profile");
    }

    private static Knobs knobsOf(JsonNode all, String name, String whatIsMissing) {
        if (!all.has(name)) {
            throw new IllegalArgumentException(whatIsMissing + " is called '" + name + "'");
        }
        return knobs(all.path(name));
    }

    private static Claim claim(JsonNode one) {
        return new Claim(
                one.path("id").asString(""),
                one.path("text").asString(""),
                one.path("case").asString(""),
                one.path("metric").asString(""),
                one.path("upper_limit").asBoolean(false),
                one.path("bound").asDouble(1),
                one.path("pass").asDouble(0),
                one.path("stretch").asDouble(0));
    }

    static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).toList();
    }

    private static List<Event> events(JsonNode list) {
        List<Event> events = new ArrayList<>();
        for (JsonNode one : list) {
            events.add(new Event(one.path("at_ns").asLong(), one.path("what").asString("")));
        }
        return List.copyOf(events);
    }

    private static Knobs knobs(JsonNode node) {
        Map<String, Long> values = new TreeMap<>();
        node.properties()
                .forEach(entry -> values.put(entry.getKey(), entry.getValue().asLong()));
        return new Knobs(values);
    }

    private static JsonNode read(String file) throws IOException {
        try (InputStream in = Scenario.class.getResourceAsStream(FOLDER + file)) {
            if (in == null) {
                throw new IOException("missing resource " + FOLDER + file);
            }
            return MAPPER.readTree(in);
        }
    }
}
