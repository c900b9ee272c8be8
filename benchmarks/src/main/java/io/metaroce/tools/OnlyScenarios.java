package io.metaroce.tools;

import io.metaroce.tools.lab.Scenario;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Option;

/** The option to run only some scenarios. */
final class OnlyScenarios {
    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description = "Only these scenarios, such as E5,E6 (default: all).")
    private List<String> names = List.of();

    List<Scenario> scenarios() throws IOException {
        return Scenario.all(names);
    }
}
