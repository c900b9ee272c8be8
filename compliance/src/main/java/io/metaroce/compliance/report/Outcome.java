package io.metaroce.compliance.report;

import io.metaroce.compliance.run.Declaration;
import io.metaroce.compliance.run.Result;
import io.metaroce.compliance.run.Target;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.spec.Requirement;
import io.metaroce.compliance.spec.Requirements;
import io.metaroce.compliance.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A whole run: every result, and what it says of each requirement and of the implementation. */
public final class Outcome {
    private final Target target;
    private final String profileName;
    private final Requirements requirements;
    private final long seed;
    private final List<Result> results;
    private final Declaration declaration;
    private final List<String> gaps;
    private final List<String> options;

    /** What a run says of an implementation. */
    public enum Profile {
        /** Every applicable MUST that was selected conforms. */
        CONFORMANT(0),
        /** A MUST is violated. */
        NON_CONFORMANT(1),
        /** Something was not proved. */
        INCOMPLETE(2),
        /** The suite has a fault. */
        SUITE_FAULT(4);

        private final int exitCode;

        Profile(int exitCode) {
            this.exitCode = exitCode;
        }

        /** The exit code of a run that comes to this. */
        public int exitCode() {
            return exitCode;
        }
    }

    /** What a run says of one requirement. */
    public enum State {
        /** Looked at, and not violated. */
        CONFORMS,
        /** Violated. */
        VIOLATED,
        /** A SHOULD that is not followed. */
        ADVISORY,
        /** Its tests proved nothing, or there is none. */
        UNDETERMINED,
        /** Not claimed by the implementation. */
        NOT_APPLICABLE,
        /** Not seen from outside; the reason stands with it. */
        NOT_OBSERVED
    }

    /** A run with these results, that proves all it was to prove. */
    public Outcome(Target target, String profileName, Requirements requirements, long seed, List<Result> results) {
        this(
                target,
                profileName,
                requirements,
                seed,
                results,
                Declaration.claimed(target.about()),
                List.of(),
                List.of());
    }

    /**
     * A run with these results.
     *
     * @param target the implementation
     * @param profileName what it claims to be
     * @param requirements all requirements
     * @param seed seed of the run
     * @param results one per test, in order
     * @param declaration what the implementation has and has not
     * @param gaps why it is incomplete although no single test is
     * @param options words of the command line that another run needs to come to the same
     */
    public Outcome(
            Target target,
            String profileName,
            Requirements requirements,
            long seed,
            List<Result> results,
            Declaration declaration,
            List<String> gaps,
            List<String> options) {
        this.target = target;
        this.profileName = profileName;
        this.requirements = requirements;
        this.seed = seed;
        this.results = List.copyOf(results);
        this.declaration = declaration;
        this.gaps = List.copyOf(gaps);
        this.options = List.copyOf(options);
    }

    /** What the implementation has and has not. */
    public Declaration declaration() {
        return declaration;
    }

    /** Why the run is incomplete, beside tests without a verdict. */
    public List<String> gaps() {
        return gaps;
    }

    /** The seed. */
    public long seed() {
        return seed;
    }

    /** One line that adds up to the number of tests. */
    public String summary() {
        return count(Verdict.PASS) + " passed, " + count(Verdict.FAIL) + " failed, " + count(Verdict.INCONCLUSIVE)
                + " inconclusive, " + count(Verdict.NOT_APPLICABLE) + " n/a, " + count(Verdict.ERROR) + " error";
    }

    /** What it comes to, in one line. */
    public String sentence() {
        return covered() + " of " + requirements.testable().size() + " testable MUSTs covered; "
                + profile().name().replace('_', '-') + " (" + profileName + ", " + target.clock() + ")";
    }

    /** How to run one of its tests again. */
    public String repro(Result result) {
        StringBuilder command = new StringBuilder("./metaroce compliance run --target " + quoted(target.name())
                + " --profile " + profileName + " --seed " + seed);
        options.forEach(word -> command.append(' ').append(quoted(word)));
        return command.append(" --select ").append(result.test().id()).toString();
    }

    private static String quoted(String word) {
        return word.contains(" ") ? '"' + word + '"' : word;
    }

    /** All results, in order. */
    public List<Result> results() {
        return results;
    }

    /** What the implementation claims to be. */
    public String profileName() {
        return profileName;
    }

    /** The implementation. */
    public Target target() {
        return target;
    }

    /** How many results have this verdict. */
    public int count(Verdict verdict) {
        return (int) results.stream().filter(r -> r.verdict() == verdict).count();
    }

    /** What it comes to. */
    public Profile profile() {
        if (count(Verdict.FAIL) > 0) {
            return Profile.NON_CONFORMANT;
        }
        if (count(Verdict.ERROR) > 0) {
            return Profile.SUITE_FAULT;
        }
        return count(Verdict.INCONCLUSIVE) > 0 || !gaps.isEmpty() ? Profile.INCOMPLETE : Profile.CONFORMANT;
    }

    /** Tests that cite a requirement. */
    public List<Result> about(Requirement requirement) {
        return results.stream()
                .filter(r -> r.test().tags().contains(requirement.id()))
                .toList();
    }

    /** What it says of a requirement. */
    public State state(Requirement requirement) {
        boolean isViolated = results.stream()
                .flatMap(r -> r.checks().stream())
                .anyMatch(c -> !c.isOk() && c.requirement().equals(requirement.id()));
        if (isViolated) {
            return requirement.isMust() ? State.VIOLATED : State.ADVISORY;
        }
        List<Result> about = about(requirement);
        if (about.stream().anyMatch(r -> r.verdict() == Verdict.PASS)) {
            return State.CONFORMS;
        }
        if (!about.isEmpty() && about.stream().allMatch(r -> r.verdict() == Verdict.NOT_APPLICABLE)) {
            return State.NOT_APPLICABLE;
        }
        return requirement.isTestable() ? State.UNDETERMINED : State.NOT_OBSERVED;
    }

    /** All requirements. */
    public Requirements requirements() {
        return requirements;
    }

    /** How many MUSTs that show in packets, completions or memory at least one test covers. */
    public long covered() {
        return requirements.testable().stream().filter(r -> !about(r).isEmpty()).count();
    }

    /** The whole as JSON; nothing in it depends on when or where it was made. */
    public ObjectNode json() {
        ObjectNode root = Json.object()
                .put("schema", "compliance-results@1")
                .put("spec", "MetaRoCE open draft 1")
                .put("target", target.name())
                .put("clock", target.clock())
                .put("seed", seed)
                .put("profile", profileName)
                .put("verdict", profile().name());
        root.set("declaration", declaration.json());
        ArrayNode incomplete = root.putArray("gaps");
        gaps.forEach(incomplete::add);
        root.putObject("summary")
                .put("tests", results.size())
                .put("pass", count(Verdict.PASS))
                .put("fail", count(Verdict.FAIL))
                .put("inconclusive", count(Verdict.INCONCLUSIVE))
                .put("na", count(Verdict.NOT_APPLICABLE))
                .put("error", count(Verdict.ERROR))
                .put("requirements_total", requirements.testable().size())
                .put("requirements_covered", covered());
        ArrayNode tests = root.putArray("tests");
        for (Result result : results) {
            ObjectNode node = tests.addObject()
                    .put("id", result.test().id())
                    .put("title", result.test().title())
                    .put("role", result.test().role().name().toLowerCase(Locale.ROOT))
                    .put("verdict", result.verdict().name())
                    .put("reason", result.reason())
                    .put("checks", result.checks().size())
                    .put("packets", result.ledger().size());
            if (target.clock().equals("vtime")) {
                node.put("elapsed_ns", result.elapsedNs());
            }
            ArrayNode cited = node.putArray("requirements");
            result.test().citations().forEach(cited::add);
        }
        ArrayNode list = root.putArray("requirements");
        for (Requirement requirement : requirements.all()) {
            ObjectNode node = list.addObject()
                    .put("id", requirement.id())
                    .put("rev", requirement.rev())
                    .put("level", requirement.level())
                    .put("origin", requirement.origin())
                    .put("observed", requirement.observed().name().toLowerCase(Locale.ROOT))
                    .put("state", state(requirement).name());
            if (!requirement.reason().isEmpty()) {
                node.put("reason", requirement.reason());
            }
            ArrayNode by = node.putArray("tests");
            about(requirement).forEach(r -> by.add(r.test().id()));
        }
        return root;
    }

    /** How many requirements are in each state. */
    public Map<State, Integer> states() {
        Map<State, Integer> counts = new TreeMap<>();
        for (Requirement requirement : requirements.all()) {
            counts.merge(state(requirement), 1, Integer::sum);
        }
        return counts;
    }

    /** Tests that are not PASS and not NOT_APPLICABLE. */
    public List<Result> troubles() {
        List<Result> found = new ArrayList<>();
        for (Result result : results) {
            if (result.verdict() != Verdict.PASS && result.verdict() != Verdict.NOT_APPLICABLE) {
                found.add(result);
            }
        }
        return found;
    }
}
