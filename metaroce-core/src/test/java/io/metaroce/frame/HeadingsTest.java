package io.metaroce.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Headings are named as links to them are written. */
class HeadingsTest {
    @Test
    void namesHaveSmallLettersAndHyphens() {
        assertThat(Headings.name("Why a connection is gone, or was refused"))
                .isEqualTo("why-a-connection-is-gone-or-was-refused");
        assertThat(Headings.name("`net.core.rmem_max` and [pages](a.md)")).isEqualTo("netcorermem_max-and-pages");
        assertThat(Headings.name("13.1 The table")).isEqualTo("131-the-table");
    }

    @Test
    void theSecondOfANameIsNumberedAndCodeHasNone(@TempDir Path folder) throws IOException {
        Path page = folder.resolve("page.md");
        Files.writeString(page, "# One\n## Two\n```\n# no heading\n```\n## Two\n");
        assertThat(Headings.of(page)).containsExactlyInAnyOrder("one", "two", "two-1");
    }
}
