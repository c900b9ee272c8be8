package io.metaroce.compliance.spec;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;

/** Where the specification lies: the suite belongs to a checkout and reads the text it judges by. */
public final class Checkout {
    private static final String MARK = "spec/wire/packets.json";

    private Checkout() {}

    /** The root of the checkout: above the working directory, or above these classes. */
    public static Path root() {
        List<Path> starts = new ArrayList<>();
        starts.add(Path.of("").toAbsolutePath());
        CodeSource source = Checkout.class.getProtectionDomain().getCodeSource();
        if (source != null) {
            try {
                starts.add(Path.of(source.getLocation().toURI()));
            } catch (URISyntaxException e) {
                throw new IllegalStateException(e);
            }
        }
        for (Path start : starts) {
            for (Path folder = start; folder != null; folder = folder.getParent()) {
                if (Files.exists(folder.resolve(MARK))) {
                    return folder;
                }
            }
        }
        throw new IllegalStateException("no folder with " + MARK + " above the working directory; run from a checkout");
    }

    /** The folder of the specification. */
    public static Path spec() {
        return root().resolve("spec");
    }
}
