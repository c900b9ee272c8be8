package io.metaroce.tools;

import io.metaroce.collective.Collective;
import io.metaroce.tools.group.GroupOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** All-reduce between processes, as nccl-tests measure it. */
@Command(
        name = "allreduce",
        description =
                "All-reduce between processes over UDP: every rank gets the sum of the data of all; every element is compared."
                        + " In the layout of nccl-tests.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class AllReduce implements Callable<Integer> {
    @Mixin
    private final GroupOptions options = new GroupOptions();

    @Mixin
    private JsonFile jsonFile = new JsonFile();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        return new GroupStart(Collective.ALL_REDUCE, options, spec, jsonFile).run();
    }
}
