package io.metaroce.compliance.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of requirements is what the chapters say, and a changed sentence is noticed. */
class RequirementsTest {
    private static final String SENTENCE = "* [R-HDR-001] A packet MUST be\n  short. [public]\n\nNothing more.\n";

    @Test
    void theFileIsInStepWithTheChapters() throws IOException {
        Path spec = Checkout.spec();
        assertThat(Files.readString(spec.resolve(Requirements.FILE)))
                .as("write it anew: metaroce compliance spec --write")
                .isEqualTo(Requirements.generate(spec));
    }

    @Test
    void everyRequirementThatIsNotSeenSaysWhy() {
        assertThat(Requirements.load(Checkout.spec()).all())
                .hasSizeGreaterThan(200)
                .allSatisfy(
                        each -> assertThat(each.isTestable() || !each.reason().isBlank())
                                .as(each.id())
                                .isTrue());
    }

    @Test
    void aChangedSentenceMakesCitationsStale(@TempDir Path spec) throws IOException {
        Files.writeString(spec.resolve("observation.csv"), "tag,observed,applies_if,reason\n");
        Files.writeString(spec.resolve("03-wire.md"), SENTENCE);
        Files.writeString(spec.resolve(Requirements.FILE), Requirements.generate(spec));
        Requirements first = Requirements.load(spec);
        assertThat(first.all().get(0).text()).isEqualTo("A packet MUST be short.");
        assertThat(first.fault("R-HDR-001@1")).isNull();
        assertThat(first.fault("R-HDR-002@1")).contains("does not say");

        Files.writeString(spec.resolve("03-wire.md"), SENTENCE.replace("short", "long"));
        Files.writeString(spec.resolve(Requirements.FILE), Requirements.generate(spec));
        Requirements second = Requirements.load(spec);
        assertThat(second.fault("R-HDR-001@1")).contains("stale").contains("R-HDR-001@2");
        assertThat(second.fault("R-HDR-001@2")).isNull();
        assertThat(Requirements.generate(spec))
                .as("an unchanged text keeps its revision")
                .contains("\"rev\" : 2");
    }
}
