package io.metaroce.compliance.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * {@code metaroce compliance …} and {@code metaroce cosim}. Exit codes of a run are those of
 * {@code docs/compliance.md}.
 */
@Command(
        name = "metaroce",
        description = "The compliance suite of the reference transport.",
        mixinStandardHelpOptions = true,
        subcommands = {Main.Compliance.class, CosimCommand.class})
public final class Main {
    private static final int WRONG_USAGE = 3;
    private static final int SUITE_FAULT = 4;

    private Main() {}

    /** Everything below {@code compliance}. */
    @Command(
            name = "compliance",
            description = "Tests an implementation against the requirements of the specification.",
            mixinStandardHelpOptions = true,
            subcommands = {
                AgentCommand.class,
                CoverageCommand.class,
                DiffCommand.class,
                ExplainCommand.class,
                ListCommand.class,
                ReproCommand.class,
                RunCommand.class,
                SelfTestCommand.class,
                SpecCommand.class
            })
    static final class Compliance {
        private Compliance() {}
    }

    /** Runs a command and exits with its code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** Runs a command that prints to {@code out} and complains to {@code err}. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        return commandLine().setOut(out).setErr(err).execute(args);
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler((fault, given) -> {
            PrintWriter err = fault.getCommandLine().getErr();
            err.println(fault.getMessage());
            err.println("hint: " + fault.getCommandLine().getCommandSpec().qualifiedName() + " --help");
            return WRONG_USAGE;
        });
        line.setExecutionExceptionHandler((fault, command, result) -> {
            String message = fault.getMessage();
            command.getErr().println(message == null ? fault.toString() : message);
            return fault instanceof IllegalArgumentException ? WRONG_USAGE : SUITE_FAULT;
        });
        return line;
    }
}
