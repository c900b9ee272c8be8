package io.metaroce.tools;

import io.metaroce.tools.perf.PerftestFlags;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The root of all tools. Exit codes: 0 success, 1 the operation failed, 2 the command line was wrong. */
@Command(
        name = "metaroce",
        description = "RDMA over plain UDP sockets: tools of the reference transport.",
        mixinStandardHelpOptions = true,
        versionProvider = ToolVersion.class,
        subcommands = {
            DevInfo.class,
            Ping.class,
            WriteBw.class,
            WriteLat.class,
            ReadBw.class,
            ReadLat.class,
            SendBw.class,
            SendLat.class,
            AtomicLat.class,
            AllReduce.class,
            AllToAll.class,
            Demo.class,
            Example.class,
            Stat.class,
            TraceCommand.class,
            Scope.class,
            BenchCommand.class,
            Sim.class,
            Completion.class,
            CommandLine.HelpCommand.class
        })
public final class Main {
    private static final int WRONG_USAGE = 2;
    private static final int FAILED = 1;

    private Main() {}

    /** Runs a tool and exits with its code. */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs a tool and returns its exit code. */
    public static int run(String... args) {
        return commandLine().execute(args);
    }

    /** Runs a tool that prints to {@code out}, complains to {@code err}, and returns its exit code. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        return commandLine().setOut(out).setErr(err).execute(args);
    }

    /** All tools with their options. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.registerConverter(ByteSize.class, telling(ByteSize::parse));
        line.registerConverter(Span.class, telling(Span::parse));
        line.registerConverter(Share.class, telling(Share::parse));
        line.registerConverter(CutSpec.class, telling(CutSpec::parse));
        line.setParameterExceptionHandler((fault, given) -> {
            PrintWriter err = fault.getCommandLine().getErr();
            if (given.length == 0) { // whoever says nothing wants to know what there is
                fault.getCommandLine().usage(err);
                return WRONG_USAGE;
            }
            err.println(explain(fault));
            err.println("hint: " + fault.getCommandLine().getCommandSpec().qualifiedName() + " --help");
            return WRONG_USAGE;
        });
        line.setExecutionExceptionHandler((fault, command, result) -> {
            command.getErr().println(describe(fault));
            return fault instanceof IllegalArgumentException ? WRONG_USAGE : FAILED;
        });
        ManPage.style(line);
        return line;
    }

    /** A converter whose own words reach the user. */
    private static <T> ITypeConverter<T> telling(Function<String, T> parser) {
        return text -> {
            try {
                return parser.apply(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        };
    }

    private static String explain(CommandLine.ParameterException fault) {
        if (fault instanceof CommandLine.UnmatchedArgumentException unmatched) {
            List<String> words = unmatched.getUnmatched();
            if (!words.isEmpty() && words.get(0).startsWith("-")) {
                String reason = PerftestFlags.reason(words.get(0));
                return words.get(0) + " is not supported by this tool" + (reason == null ? "" : ": " + reason);
            }
        }
        return String.valueOf(fault.getMessage());
    }

    private static String describe(Exception fault) {
        if (fault instanceof FileSystemException file && file.getReason() == null) {
            return file.getFile() + ": " + reason(file);
        }
        String message = fault.getMessage();
        return message == null ? fault.toString() : message;
    }

    /** Java names the file and leaves the reason to the class. */
    private static String reason(FileSystemException fault) {
        if (fault instanceof NoSuchFileException) {
            return "no such file or folder";
        }
        if (fault instanceof AccessDeniedException) {
            return "access denied";
        }
        return fault.getClass().getSimpleName().replace("Exception", "");
    }
}
