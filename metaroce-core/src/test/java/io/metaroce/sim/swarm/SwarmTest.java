package io.metaroce.sim.swarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A small swarm in every build; the command {@code metaroce sim swarm} runs larger ones. */
class SwarmTest {
    private static final int SEEDS = 200;
    private static final int SHRINK_RUNS = 300;

    @Test
    void nothingIsWrongWithAnySeed() {
        List<String> findings = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            SwarmCase one = CaseMaker.make(seed);
            CaseRunner.Outcome outcome = CaseRunner.run(one);
            if (!outcome.isRight()) {
                findings.add(Finding.of(one, outcome, SHRINK_RUNS).text());
            }
        }
        assertThat(findings).isEmpty();
    }

    @Test
    void equalCasesGiveEqualRuns() {
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(CaseRunner.run(CaseMaker.make(seed))).isEqualTo(CaseRunner.run(CaseMaker.make(seed)));
        }
    }

    @Test
    void aCaseSurvivesBeingWritten() {
        for (long seed = 1; seed <= 500; seed++) {
            SwarmCase one = CaseMaker.make(seed);
            assertThat(CaseText.parse(CaseText.line(one))).isEqualTo(one);
            assertThat(CaseText.parse(CaseText.lines(one))).isEqualTo(one);
        }
    }

    @Test
    void whatIsNotUnderstoodIsNotReadAsSomethingElse() {
        for (String line : List.of(
                "op 0 0 a send 100 0 0 none fence",
                "op 0 0 c send 100 0 0 none",
                "talk 0 1 drained a 0 0 0",
                "net pair 2 1 1 100 1000 0 0 marked",
                "side 4096 4 64",
                "heel 5")) {
            assertThatThrownBy(() -> CaseText.parse("seed 1; " + line)).hasMessageContaining(line);
        }
    }

    /** The judge can condemn: nothing arrives in time while every cable is cut. */
    @Test
    void whatCannotEndIsFoundAndMadeSmall() {
        SwarmCase one = CaseMaker.make(5);
        SwarmCase cut = new SwarmCase(
                one.seed(),
                one.net(),
                one.side(),
                SwarmCase.Options.PLAIN,
                SwarmCase.Limits.PLAIN,
                List.of(),
                List.of("at 0us link * dup 1%", "at 0us link * loss 100%", "at 2ms link * loss 100%"),
                List.of(),
                100_000_000_000L,
                List.of(new SwarmCase.Talk(0, 1, SwarmCase.End.DRAINED, true, 0, 0)),
                CaseText.parse("talk 0 1 drained a 0; op 0 0 a send 100 0 0 none; op 0 1 a send 9000 0 0 none")
                        .ops());
        CaseRunner.Outcome outcome = CaseRunner.run(cut);
        assertThat(outcome.isRight()).isFalse();
        Finding finding = Finding.of(cut, outcome, 60);
        assertThat(finding.smallest().ops()).isEmpty();
        assertThat(finding.smallest().faults()).hasSize(1);
        assertThat(finding.text()).contains("--replay");
    }
}
