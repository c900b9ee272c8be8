package io.metaroce.tools;

import io.metaroce.tools.perf.PerfKind;
import io.metaroce.tools.perf.PerfOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Bandwidth of RDMA READ between two processes. */
@Command(
        name = "read_bw",
        description = "Bandwidth of RDMA READ between two processes; in the layout of ib_read_bw.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class ReadBw implements Callable<Integer> {
    @Mixin
    private final PerfOptions options = new PerfOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        return PerfStart.run(PerfKind.READ_BW, options, spec);
    }
}
