package io.metaroce.compliance.cli;

import io.metaroce.compliance.adapter.SelfTarget;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.selftest.SelfTest;
import io.metaroce.compliance.selftest.SelfTest.Row;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tests the suite. */
@Command(
        name = "selftest",
        description = "Tests the suite: broken implementations must be caught, legal variants must pass.",
        mixinStandardHelpOptions = true)
final class SelfTestCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--mutants",
            description = "Only mutants whose id begins like this; none: no mutants.",
            defaultValue = "M")
    private String mutants = "M";

    @Option(
            names = "--variants",
            description = "Only variants whose id begins like this; none: no variants.",
            defaultValue = "B")
    private String variants = "B";

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Codec codec = Codec.ofCheckout();
        SelfTest test = new SelfTest(new SelfTarget(), codec);
        List<Row> killed = test.mutants(mutants, row -> print(out, row));
        List<Row> passed = test.variants(variants, row -> print(out, row));
        long dead = killed.stream().filter(Row::isGood).count();
        long good = passed.stream().filter(Row::isGood).count();
        out.println(dead + " of " + killed.size() + " mutants killed by their named test on their named requirement; "
                + good + " of " + passed.size() + " benign variants pass");
        out.flush();
        return dead == killed.size() && good == passed.size() ? 0 : 1;
    }

    private static void print(PrintWriter out, Row row) {
        out.println((row.isGood() ? "ok   " : "BAD  ") + row.id() + " " + row.title() + ": " + row.detail());
        out.flush();
    }
}
