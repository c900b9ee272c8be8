package io.metaroce.tools;

import io.metaroce.tools.lab.ScenarioRunner;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
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

    @Option(names = "--out_json_file", description = "Write the results as JSON to this file.")
    private @Nullable Path jsonFile;

    boolean isQuick() {
        return isQuick;
    }

    int seeds() {
        return seeds;
    }

    @Nullable
    Path jsonFile() {
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
