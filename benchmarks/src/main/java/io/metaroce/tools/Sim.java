package io.metaroce.tools;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tools of the simulator. */
@Command(
        name = "sim",
        description = "Runs the engine in the simulator, in virtual time.",
        mixinStandardHelpOptions = true,
        subcommands = {SimList.class, SimRun.class, SimClaims.class, SimMatrix.class, SimSwarm.class, SimPerf.class})
final class Sim implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "say what to run: " + String.join(", ", spec.subcommands().keySet()));
    }
}
