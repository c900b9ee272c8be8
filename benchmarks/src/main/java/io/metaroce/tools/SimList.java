package io.metaroce.tools;

import io.metaroce.tools.lab.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What the laboratory can run. */
@Command(name = "list", description = "Lists the scenarios and their cases.", mixinStandardHelpOptions = true)
final class SimList implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        for (String name : Scenario.NAMES) {
            Scenario scenario = Scenario.named(name);
            out.println(name + "  " + scenario.title());
            for (Scenario.Case one : scenario.cases()) {
                out.println("    " + one.name() + (one.isQuick() ? "" : "  (not in the quick run)"));
            }
        }
        out.flush();
        return 0;
    }
}
