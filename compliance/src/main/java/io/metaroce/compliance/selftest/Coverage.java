package io.metaroce.compliance.selftest;

import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.spec.Requirement;
import io.metaroce.compliance.spec.Requirements;
import io.metaroce.compliance.tests.Catalogue;
import io.metaroce.compliance.tests.Conformance;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How well the requirements are covered: by tests that cite them, and by broken implementations that violate them. */
public final class Coverage {
    private final Requirements requirements;
    private final List<Conformance> tests = Catalogue.all();
    private final List<Mutant> mutants = Mutants.all();

    /** Coverage of these requirements by the whole suite. */
    public Coverage(Requirements requirements) {
        this.requirements = requirements;
    }

    /** Ids of the tests that cite a requirement. */
    public List<String> tests(Requirement requirement) {
        return tests.stream()
                .filter(test -> test.tags().contains(requirement.id()))
                .map(Conformance::id)
                .toList();
    }

    /** The mutants that violate a requirement, one line each. */
    public List<String> mutants(Requirement requirement) {
        return mutants.stream()
                .filter(mutant -> mutant.requirement().equals(requirement.id()))
                .map(Coverage::line)
                .toList();
    }

    /** The mutants a test must catch, one line each. */
    public List<String> mutants(Conformance test) {
        return mutants.stream()
                .filter(mutant -> mutant.test().equals(test.id()))
                .map(Coverage::line)
                .toList();
    }

    private static String line(Mutant mutant) {
        return mutant.id() + " " + mutant.title() + " (" + mutant.test() + ", " + mutant.requirement() + ")";
    }

    /** Testable MUSTs that no test cites. */
    public List<String> untested() {
        return requirements.testable().stream()
                .filter(each -> tests(each).isEmpty())
                .map(Requirement::id)
                .toList();
    }

    /** Testable MUSTs that no mutant violates. */
    public List<String> unbroken() {
        return requirements.testable().stream()
                .filter(each -> mutants(each).isEmpty())
                .map(Requirement::id)
                .toList();
    }

    /** Tests that have to catch no mutant. */
    public List<String> unproven() {
        Set<String> proven = new TreeSet<>();
        mutants.forEach(mutant -> proven.add(mutant.test()));
        return tests.stream()
                .map(Conformance::id)
                .filter(id -> !proven.contains(id))
                .toList();
    }

    /** How many mutants and variants there are, and what they cover, in one sentence. */
    public String sentence() {
        int musts = requirements.testable().size();
        return (musts - untested().size()) + " of " + musts + " testable MUSTs have a test, "
                + (musts - unbroken().size()) + " a mutant; " + mutants.size() + " mutants, "
                + Variants.all().size() + " benign variants, " + tests.size() + " tests";
    }

    /** The whole as JSON. */
    public ObjectNode json() {
        ObjectNode root = Json.object()
                .put("schema", "compliance-coverage@1")
                .put("tests", tests.size())
                .put("mutants", mutants.size())
                .put("variants", Variants.all().size());
        ArrayNode list = root.putArray("requirements");
        for (Requirement requirement : requirements.testable()) {
            ObjectNode node = list.addObject().put("id", requirement.id()).put("rev", requirement.rev());
            ArrayNode by = node.putArray("tests");
            tests(requirement).forEach(by::add);
            ArrayNode violated = node.putArray("mutants");
            mutants(requirement).forEach(line -> violated.add(line.substring(0, line.indexOf(' '))));
        }
        List<String> missing = new ArrayList<>(unbroken());
        ArrayNode without = root.putArray("musts_without_mutant");
        missing.forEach(without::add);
        ArrayNode unproven = root.putArray("tests_without_mutant");
        unproven().forEach(unproven::add);
        return root;
    }
}
