package io.metaroce.tools.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a browser without a window, where there is one: the script draws what the page carries. */
class PageInBrowserTest {
    private static final List<Path> BROWSERS = List.of(
            Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"), Path.of("/usr/bin/google-chrome"));
    private static final long DEADLINE_S = 120;

    @Test
    void everyChartIsDrawn(@TempDir Path folder) throws Exception {
        Path browser = BROWSERS.stream().filter(Files::isExecutable).findFirst().orElse(null);
        assumeTrue(browser != null, "no Chromium here; install it to have pages checked");
        Chart chart = new Chart("loss, %", "goodput </script>", true)
                .line("measured", Chart.Kind.POINTS, List.of(0.1, 1.0, 10.0), List.of(0.99, 0.98, 0.8))
                .line("bound", Chart.Kind.BOUND, List.of(0.1, 10.0), List.of(1.0, 0.9));
        Map<String, Object> picture = Map.of("title", "A <picture>", "id", "one", "data", chart.json());
        Path page = folder.resolve("page.html");
        Files.writeString(
                page,
                Page.of(
                        "claims",
                        Map.of(
                                "form",
                                "",
                                "java",
                                "",
                                "verdicts",
                                List.of(),
                                "claims",
                                List.of(),
                                "scenarios",
                                List.of(Map.of(
                                        "name",
                                        "E",
                                        "title",
                                        "t",
                                        "bound",
                                        "b",
                                        "cases",
                                        List.of(),
                                        "pictures",
                                        List.of(picture))))));
        Path out = folder.resolve("dom.html");
        Process process = new ProcessBuilder(
                        String.valueOf(browser),
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
        assertThat(Files.readString(out)).contains("<canvas", "u-legend", "measured", "A &lt;picture&gt;");
    }
}
