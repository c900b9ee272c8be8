package io.metaroce.tools;

import io.metaroce.examples.FileTransfer;
import io.metaroce.examples.KeyValueStore;
import io.metaroce.examples.NettyPipeline;
import io.metaroce.examples.PingPong;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Runs one of the programs that applications begin with. */
@Command(
        name = "example",
        description = "Runs a program of io.metaroce.examples: small applications to begin with. Without a name it"
                + " lists them; without further words both roles run in one process.",
        mixinStandardHelpOptions = true)
final class Example implements Callable<Integer> {
    /** What can be run. */
    private enum Program {
        PING_PONG("requests and replies by SEND, and how long a round trip takes"),
        KEY_VALUE_STORE("a hash table that is read by RDMA READ while it is changed"),
        FILE_TRANSFER("a file from mapping to mapping by RDMA WRITE"),
        NETTY_PIPELINE("a Netty pipeline of text over a queue pair");

        private final String what;

        Program(String what) {
            this.what = what;
        }

        void run(String[] words) throws Exception {
            switch (this) {
                case PING_PONG -> PingPong.main(words);
                case KEY_VALUE_STORE -> KeyValueStore.main(words);
                case FILE_TRANSFER -> FileTransfer.main(words);
                case NETTY_PIPELINE -> NettyPipeline.main(words);
            }
        }

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        static String words() {
            return Arrays.stream(values()).map(Program::word).collect(Collectors.joining(", "));
        }
    }

    /** Programs by name. */
    private static final class Names implements ITypeConverter<Program>, Iterable<String> {
        @Override
        public Program convert(String word) {
            for (Program program : Program.values()) {
                if (program.word().equals(word)) {
                    return program;
                }
            }
            throw new TypeConversionException("no example is called " + word + "; there are " + Program.words());
        }

        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Program.values()).map(Program::word).iterator();
        }
    }

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "NAME",
            converter = Names.class,
            completionCandidates = Names.class,
            description = "One of ${COMPLETION-CANDIDATES}.")
    private @Nullable Program program;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "WORD",
            description = "server ADDRESS:PORT or client ADDRESS:PORT, for one role; a file to transfer after it.")
    private List<String> words = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        if (program != null) {
            program.run(words.toArray(String[]::new));
            return 0;
        }
        PrintWriter out = spec.commandLine().getOut();
        for (Program each : Program.values()) {
            out.println(String.format(Locale.ROOT, "%-16s %s", each.word(), each.what));
        }
        out.flush();
        return 0;
    }
}
