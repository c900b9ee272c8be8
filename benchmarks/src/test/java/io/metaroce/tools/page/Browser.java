package io.metaroce.tools.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A browser without a window; tests that ask for it are skipped where there is none. */
public final class Browser {
    private static final List<Path> PLACES = List.of(
            Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"), Path.of("/usr/bin/google-chrome"));
    private static final long DEADLINE_S = 120;

    private final Path browser;
    private final Path folder;

    private Browser(Path browser, Path folder) {
        this.browser = browser;
        this.folder = folder;
    }

    /** The browser, with {@code folder} for what it leaves behind; skips the test where there is none. */
    public static Browser orSkip(Path folder) {
        Path found = PLACES.stream().filter(Files::isExecutable).findFirst().orElse(null);
        assumeTrue(found != null, "no Chromium here; install it to have pages checked");
        return new Browser(Objects.requireNonNull(found), folder);
    }

    /** What the page has become once its scripts have run. */
    public String show(Path page) throws IOException, InterruptedException {
        Path out = folder.resolve("dom.html");
        Process process = new ProcessBuilder(
                        browser.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--dump-dom",
                        page.toUri().toString())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(DEADLINE_S, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly().waitFor(DEADLINE_S, TimeUnit.SECONDS);
        }
        return Files.readString(out);
    }
}
