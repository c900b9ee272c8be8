package io.metaroce.tools;

import io.metaroce.tools.lab.CellStore;
import io.metaroce.tools.lab.Progress;
import io.metaroce.tools.lab.ScenarioRunner;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What all commands of the laboratory are told. */
final class SimOptions {
    @Option(names = "--quick", description = "The small form: fewer cases, seeds and messages.")
    private boolean isQuick;

    @Option(names = "--seeds", defaultValue = "0", description = "Seeds 1 to this (default: as the scenario says).")
    private int seeds;

    @Option(names = "--jobs", defaultValue = "1", description = "Runs at a time (default: ${DEFAULT-VALUE}).")
    private int jobs;

    boolean isQuick() {
        return isQuick;
    }

    int seeds() {
        return seeds;
    }

    /** A runner that tells its progress on the stream for complaints. */
    ScenarioRunner runner(CommandSpec spec, CellStore store) {
        if (seeds < 0 || jobs < 1) {
            throw new ParameterException(spec.commandLine(), "--seeds must not be negative, --jobs at least 1");
        }
        return new ScenarioRunner(
                isQuick, jobs, store, new Progress(spec.commandLine().getErr(), jobs));
    }
}
