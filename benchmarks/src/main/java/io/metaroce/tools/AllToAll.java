package io.metaroce.tools;

import io.metaroce.collective.Collective;
import io.metaroce.tools.group.GroupOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** All-to-all between processes, as nccl-tests measure it. */
@Command(
        name = "alltoall",
        description =
                "All-to-all between processes over UDP: every rank gets a block of every other; every element is compared."
                        + " In the layout of nccl-tests.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class AllToAll implements Callable<Integer> {
    @Mixin
    private final GroupOptions options = new GroupOptions();

    @Mixin
    private JsonFile jsonFile = new JsonFile();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        return new GroupStart(Collective.ALL_TO_ALL, options, spec, jsonFile).run();
    }
}
