package io.metaroce.compliance.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.compliance.adapter.SelfTarget;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.run.Declaration.Answer;
import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.tests.Conformance;
import io.metaroce.compliance.tests.Conformance.Role;
import io.metaroce.compliance.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Only what is declared not to be there makes a test inapplicable. */
class DeclarationTest {
    private static final Path FOLDER = Checkout.root().resolve("compliance").resolve("declarations");
    private static final Codec CODEC = Codec.ofCheckout();

    private static JsonNode caps(String... caps) {
        var about = Json.object();
        var list = about.putArray("caps");
        List.of(caps).forEach(list::add);
        return about;
    }

    @Test
    void declarationsOfTheCheckoutAreWhole() throws IOException {
        try (var files = Files.list(FOLDER)) {
            assertThat(files.map(Declaration::read)).hasSize(3);
        }
    }

    @Test
    void missingUnknownAndUnclearItemsAreNamed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("ics.json"),
                "{\"schema\": \"ics@1\", \"items\": {\"reads\": \"no\", \"tea\": \"yes\", \"srq\": \"yes\"}}");
        assertThatThrownBy(() -> Declaration.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("atomics is missing")
                .hasMessageContaining("reads is neither yes nor")
                .hasMessageContaining("tea is unknown");
    }

    @Test
    void silenceIsNoAnswer() {
        Declaration silent = Declaration.silent(caps("reads"));
        assertThat(silent.of("reads")).isEqualTo(Answer.YES);
        assertThat(silent.of("atomics")).isEqualTo(Answer.SILENT);
        assertThat(Declaration.claimed(caps("reads")).of("atomics")).isEqualTo(Answer.NO);
    }

    @Test
    void claimsAndDeclarationsAreCompared() {
        Declaration udp = Declaration.read(FOLDER.resolve("engine-udp.json"));
        assertThat(udp.disagreements(caps("atomics", "ordered", "planes", "reads", "srq")))
                .isEmpty();
        assertThat(udp.disagreements(caps("ordered", "planes", "reads", "srq", "vtime")))
                .containsExactly(
                        "atomics is declared and not claimed by the agent",
                        "vtime is claimed by the agent and declared not to be there");
    }

    @Test
    void aTestOfWhatNobodyDeclaredProvesNothing() {
        SelfTarget target = new SelfTarget();
        Conformance test = new Conformance("X-01", "x", Role.BOTH, List.of(), List.of("reads"), 1, t -> {});
        Declaration silent = Declaration.silent(caps());
        Declaration none = Declaration.claimed(caps());
        assertThat(new Runner(target, CODEC, 1, silent, false).run(test).verdict())
                .isEqualTo(Verdict.INCONCLUSIVE);
        Result result = new Runner(target, CODEC, 1, none, false).run(test);
        assertThat(result.verdict()).isEqualTo(Verdict.NOT_APPLICABLE);
        assertThat(result.reason()).isEqualTo("declared to be without reads: not claimed");
        assertThat(Declaration.silent(caps("reads")).unproved(List.of(result))).containsExactly("reads");
    }

    @Test
    void adviceFailsATestOnlyWhenTheRunIsStrict() {
        SelfTarget target = new SelfTarget();
        Conformance test = new Conformance("X-02", "x", Role.BOTH, List.of("R-PATH-009@1"), List.of(), 1, t -> {
            t.effective("something", true);
            t.advise("R-PATH-009", false, "too many");
        });
        Declaration claimed = Declaration.claimed(target.about());
        Result mild = new Runner(target, CODEC, 1, claimed, false).run(test);
        assertThat(mild.verdict()).isEqualTo(Verdict.PASS);
        assertThat(mild.reason()).isEqualTo("advice: R-PATH-009: too many");
        assertThat(new Runner(target, CODEC, 1, claimed, true).run(test).verdict())
                .isEqualTo(Verdict.FAIL);
    }
}
