package io.metaroce.tools;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout that a test runs in. */
public final class Checkout {
    private Checkout() {}

    /** Its folder: that of the launcher. */
    public static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("README.md")) && Files.exists(at.resolve("metaroce"))) {
                return at;
            }
        }
        throw new IllegalStateException("not within a checkout");
    }
}
