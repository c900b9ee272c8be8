package io.metaroce.compliance.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaroce.compliance.adapter.SelfTarget;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.run.Result;
import io.metaroce.compliance.run.Runner;
import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Requirements;
import io.metaroce.compliance.tests.Catalogue;
import io.metaroce.compliance.tests.Conformance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a run works in a browser: its script runs without error, and nothing is fetched from anywhere. */
class PageInBrowserTest {
    private static final List<Path> BROWSERS = List.of(
            Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"), Path.of("/usr/bin/google-chrome"));
    private static final long DEADLINE_S = 120;
    private static final String WATCH = """
            <script>
            window.faults = [];
            addEventListener("error", (event) => faults.push(event.message));
            addEventListener("load", () => {
              const field = document.getElementById("filter");
              field.value = "rel-01";
              field.dispatchEvent(new Event("input"));
              const said = document.documentElement.dataset;
              said.rows = document.querySelectorAll(".row").length;
              said.hidden = document.querySelectorAll(".row.hidden").length;
              said.open = document.querySelectorAll("details.test[open]").length;
              said.requests = performance.getEntriesByType("resource").length;
              said.faults = faults.join(";");
            });
            </script>""";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void theScriptRunsWithoutErrorAndNothingIsFetched() throws Exception {
        Path found = BROWSERS.stream().filter(Files::isExecutable).findFirst().orElse(null);
        assumeTrue(found != null, "no Chromium here; install it to have the page checked");
        String page = Html.of(outcome());
        assertThat(page).contains("What is wrong").doesNotContain("http://", "https://", "<link", "src=");
        String shown = show(Objects.requireNonNull(found), page.replace("<title>", WATCH + "<title>"));
        String root = shown.substring(shown.indexOf("<html"), shown.indexOf('>', shown.indexOf("<html")));
        assertThat(root)
                .contains("data-faults=\"\"")
                .contains("data-requests=\"0\"")
                .contains("data-open=\"1\"")
                .containsPattern("data-hidden=\"[1-9][0-9]*\"");
    }

    /** One test that passes and one that does not. */
    private static Outcome outcome() {
        SelfTarget target = new SelfTarget();
        Codec codec = Codec.ofCheckout();
        Runner runner = new Runner(target, codec, 1);
        Conformance good = Catalogue.all().stream()
                .filter(test -> test.id().equals("REL-01"))
                .findFirst()
                .orElseThrow();
        Conformance bad =
                new Conformance("REL-01X", "<a> & \"b\"", good.role(), good.citations(), good.needs(), 1, t -> {
                    good.body().run(t);
                    t.that("R-LOSS-001", false, "something <else>", t.sent());
                });
        List<Result> results = List.of(runner.run(good), runner.run(bad));
        return new Outcome(target, "core@1.0", Requirements.load(Checkout.spec()), 1, results);
    }

    private String show(Path browser, String page) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("page.html"), page);
        Path out = folder.resolve("dom.html");
        Process process = new ProcessBuilder(
                        browser.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--dump-dom",
                        file.toUri().toString())
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
