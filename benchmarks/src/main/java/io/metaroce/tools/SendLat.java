package io.metaroce.tools;

import io.metaroce.tools.perf.PerfKind;
import io.metaroce.tools.perf.PerfOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Latency of SEND between two processes. */
@Command(
        name = "send_lat",
        description = "Latency of SEND between two processes; in the layout of ib_send_lat.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class SendLat implements Callable<Integer> {
    @Mixin
    private final PerfOptions options = new PerfOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        return PerfStart.run(PerfKind.SEND_LAT, options, spec);
    }
}
