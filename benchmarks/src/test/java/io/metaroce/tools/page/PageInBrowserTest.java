package io.metaroce.tools.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a browser without a window, where there is one: the script draws what the page carries. */
class PageInBrowserTest {
    @Test
    void everyChartIsDrawn(@TempDir Path folder) throws Exception {
        Browser browser = Browser.orSkip(folder);
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
        assertThat(browser.show(page)).contains("<canvas", "u-legend", "measured", "A &lt;picture&gt;");
    }
}
