package io.metaroce.compliance.spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which commit this checkout is of, read from the files of git. */
public final class Commit {
    private static final String UNKNOWN = "unknown";

    private Commit() {}

    /** Its hash, or {@code unknown} where there are no such files. */
    public static String hash() {
        try {
            return read(Checkout.root());
        } catch (IOException | IllegalStateException e) {
            return UNKNOWN; // a source archive, or no checkout at all
        }
    }

    private static String read(Path root) throws IOException {
        Path git = root.resolve(".git");
        if (Files.isRegularFile(git)) {
            git = root.resolve(Files.readString(git).replaceFirst("gitdir:", "").strip());
        }
        String head = Files.readString(git.resolve("HEAD")).strip();
        if (!head.startsWith("ref:")) {
            return head;
        }
        String branch = head.substring(4).strip();
        Path common = git.resolve("commondir");
        Path refs = Files.exists(common) ? git.resolve(Files.readString(common).strip()) : git;
        if (Files.exists(refs.resolve(branch))) {
            return Files.readString(refs.resolve(branch)).strip();
        }
        for (String line : Files.readAllLines(refs.resolve("packed-refs"))) {
            if (line.endsWith(" " + branch)) {
                return line.substring(0, line.indexOf(' '));
            }
        }
        return UNKNOWN;
    }
}
