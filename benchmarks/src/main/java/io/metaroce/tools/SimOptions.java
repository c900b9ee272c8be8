package io.metaroce.tools;

import io.metaroce.tools.lab.ScenarioRunner;
import java.io.PrintWriter;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private JsonFile jsonFile = new JsonFile();

    boolean isQuick() {
        return isQuick;
    }

    int seeds() {
        return seeds;
    }

    JsonFile jsonFile() {
        return jsonFile;
    }

    /** A runner that tells its progress on the stream for complaints. */
    ScenarioRunner runner(CommandSpec spec) {
        if (seeds < 0 || jobs < 1) {
            throw new ParameterException(spec.commandLine(), "--seeds must not be negative, --jobs at least 1");
        }
        PrintWriter err = spec.commandLine().getErr();
        return new ScenarioRunner(isQuick, jobs, text -> {
            synchronized (err) {
                err.println("done: " + text);
                err.flush();
            }
        });
    }
}
