package io.metaroce.compliance.selftest;

import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.run.Declaration;
import io.metaroce.compliance.run.Result;
import io.metaroce.compliance.run.Runner;
import io.metaroce.compliance.run.Target;
import io.metaroce.compliance.tests.Catalogue;
import io.metaroce.compliance.tests.Conformance;
import io.metaroce.compliance.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs mutants against the tests that must catch them, and variants against all. */
public final class SelfTest {
    private final Target good;
    private final Codec codec;

    /**
     * One row.
     *
     * @param id mutant or variant
     * @param title what is different
     * @param isGood whether the mutant was killed, or the variant passed
     * @param detail how, or why not
     */
    public record Row(String id, String title, boolean isGood, String detail) {}

    /** A self-test with a good implementation, whose packets are spoiled. */
    public SelfTest(Target good, Codec codec) {
        this.good = good;
        this.codec = codec;
    }

    /** Runs the mutants whose id begins with {@code prefix}. */
    public List<Row> mutants(String prefix, Consumer<Row> progress) {
        return rows(
                Mutants.all().parallelStream()
                        .filter(mutant -> mutant.id().startsWith(prefix))
                        .map(this::judge),
                progress);
    }

    /** Several at once; they are told of in their order. */
    private static List<Row> rows(Stream<Row> judged, Consumer<Row> progress) {
        List<Row> rows = new ArrayList<>();
        judged.forEachOrdered(row -> {
            rows.add(row);
            progress.accept(row);
        });
        return rows;
    }

    private Row judge(Mutant mutant) {
        FaultyTarget target = new FaultyTarget(good, codec, mutant.fault());
        Conformance test = Catalogue.all().stream()
                .filter(each -> each.id().equals(mutant.test()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(mutant.id() + ": no test " + mutant.test()));
        Result result = new Runner(target, codec, 1, Declaration.claimed(target.about()), true).run(test);
        boolean isNamed = result.checks().stream()
                .anyMatch(check -> !check.isOk() && check.requirement().equals(mutant.requirement()));
        boolean isKilled = result.verdict() == Verdict.FAIL && isNamed && target.hits() > 0;
        String detail = mutant.test() + " on " + mutant.requirement() + ", probe fired " + target.hits() + " times";
        return new Row(
                mutant.id(),
                mutant.title(),
                isKilled,
                isKilled ? detail : detail + ": SURVIVED, " + result.verdict() + " " + result.reason());
    }

    /** Runs the variants whose id begins with {@code prefix}. */
    public List<Row> variants(String prefix, Consumer<Row> progress) {
        return rows(
                Variants.all().parallelStream()
                        .filter(variant -> variant.id().startsWith(prefix))
                        .map(this::judge),
                progress);
    }

    private Row judge(Variants.Variant variant) {
        Runner runner = new Runner(new FaultyTarget(good, codec, variant.fault()), codec, 1);
        List<String> failed = new ArrayList<>();
        int passed = 0;
        for (Conformance test : Catalogue.all()) {
            Result result = runner.run(test);
            boolean isGood = result.verdict() == Verdict.PASS || result.verdict() == Verdict.NOT_APPLICABLE;
            passed += isGood ? 1 : 0;
            if (!isGood) {
                failed.add(test.id() + " " + result.verdict() + " " + result.reason());
            }
        }
        return new Row(
                variant.id(),
                variant.title(),
                failed.isEmpty(),
                passed + " tests pass" + (failed.isEmpty() ? "" : "; not: " + failed));
    }
}
