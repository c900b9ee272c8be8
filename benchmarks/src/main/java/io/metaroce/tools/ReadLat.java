package io.metaroce.tools;

import io.metaroce.tools.perf.PerfKind;
import io.metaroce.tools.perf.PerfOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Latency of RDMA READ between two processes. */
@Command(
        name = "read_lat",
        description = "Latency of RDMA READ between two processes, whole round trips; in the layout of ib_read_lat.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ReadLat implements Callable<Integer> {
    @Mixin
    private final PerfOptions options = new PerfOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        return PerfStart.run(PerfKind.READ_LAT, options, spec);
    }
}
