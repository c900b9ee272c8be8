package io.metaroce.tools;

import io.metaroce.tools.perf.PerfKind;
import io.metaroce.tools.perf.PerfOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Latency of RDMA WRITE between two processes. */
@Command(
        name = "write_lat",
        description = "Latency of RDMA WRITE between two processes; in the layout of ib_write_lat.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class WriteLat implements Callable<Integer> {
    @Mixin
    private final PerfOptions options = new PerfOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        return PerfStart.run(PerfKind.WRITE_LAT, options, spec);
    }
}
