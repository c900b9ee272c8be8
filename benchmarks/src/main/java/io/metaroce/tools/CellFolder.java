package io.metaroce.tools;

import io.metaroce.tools.lab.CellStore;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option to keep results of runs. */
final class CellFolder {
    @Option(
            names = "--cells",
            paramLabel = "DIR",
            description = "Keep the result of every run in this folder, and take from it what the same code has run.")
    private @Nullable Path folder;

    CellStore store() throws IOException {
        return folder == null ? CellStore.none() : CellStore.in(folder);
    }
}
