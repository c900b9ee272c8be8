package io.metaroce.compliance.cli;

import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Requirements;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares {@code spec/requirements.json} with the chapters, or writes it anew. */
@Command(
        name = "spec",
        description = "Checks spec/requirements.json against the chapters, or writes it anew.",
        mixinStandardHelpOptions = true)
final class SpecCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--write", description = "Write the file; a changed sentence gets the next revision.")
    private boolean isWritten;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Path file = Checkout.spec().resolve(Requirements.FILE);
        String wanted = Requirements.generate(Checkout.spec());
        boolean isSame = Files.exists(file) && Files.readString(file).equals(wanted);
        if (isWritten && !isSame) {
            Files.writeString(file, wanted);
        }
        int count = Requirements.load(Checkout.spec()).all().size();
        out.println(count + " requirements, " + (isSame ? "in step" : isWritten ? "written anew" : "NOT in step"));
        out.flush();
        return isSame || isWritten ? 0 : 1;
    }
}
