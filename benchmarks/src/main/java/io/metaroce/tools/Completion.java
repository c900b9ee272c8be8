package io.metaroce.tools;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The script that lets a shell complete commands and options. */
@Command(
        name = "completion",
        description = "Prints the script that completes commands and options in bash and zsh: "
                + "source <(metaroce completion)",
        mixinStandardHelpOptions = true)
final class Completion implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(AutoComplete.bash("metaroce", spec.root().commandLine()));
        out.flush();
        return 0;
    }
}
