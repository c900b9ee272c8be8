package io.metaroce.tools;

import io.metaroce.tools.perf.PerfKind;
import io.metaroce.tools.perf.PerfOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Latency of atomics between two processes. */
@Command(
        name = "atomic_lat",
        description =
                "Latency of fetch-and-add between two processes, whole round trips; in the layout of ib_atomic_lat.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class AtomicLat implements Callable<Integer> {
    @Mixin
    private final PerfOptions options = new PerfOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        return PerfStart.run(PerfKind.ATOMIC_LAT, options, spec);
    }
}
