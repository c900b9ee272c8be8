package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PathHealthTest {
    private static final long PTO_NS = 1_000;
    private static final int P = 1;
    private final PathHealth health = new PathHealth(2, new PathDeadlines(2));

    @Test
    @Covers("R-HEALTH-001")
    void aSilentPathCarriesNothingNewAndResendsNothing() {
        assertThat(health.carriesNewSlots(P)).isTrue();
        assertThat(health.resends(P)).isTrue();
        assertThat(health.on(500, P, PathEvent.SILENT)).isTrue();
        assertThat(health.state(P)).isEqualTo(PathState.SUSPECT);
        assertThat(health.suspectedAtNs(P)).isEqualTo(500);
        assertThat(health.carriesNewSlots(P)).isFalse();
        assertThat(health.resends(P)).isFalse();
    }

    @Test
    void aSuspicionBeginsOnce() {
        health.on(500, P, PathEvent.SILENT);
        assertThat(health.on(700, P, PathEvent.SILENT)).isFalse();
        assertThat(health.suspectedAtNs(P)).isEqualTo(500);
    }

    @Test
    void evidenceEndsIt() {
        health.on(500, P, PathEvent.SILENT);
        health.onEvidence(600, P);
        assertThat(health.on(600, P, PathEvent.DELIVERED)).isTrue();
        assertThat(health.state(P)).isEqualTo(PathState.ACTIVE);
        assertThat(health.lastEvidenceNs(P)).isEqualTo(600);
        assertThat(health.on(700, P, PathEvent.DELIVERED)).isFalse();
    }

    @Test
    void aDrainingPathResendsAndOpensNothing() {
        health.on(1, P, PathEvent.LEAVE_WANTED);
        assertThat(health.carriesNewSlots(P)).isFalse();
        assertThat(health.resends(P)).isTrue();
    }

    @Test
    void aSuspectIsAskedAgainSeveralTimesBeforeItIsConfirmed() {
        assertThat(health.askAtNs(P, PTO_NS)).isEqualTo(Deadline.NEVER);
        health.on(10_000, P, PathEvent.SILENT);
        int asked = 1; // with the suspicion
        long last = 10_000;
        while (health.askAtNs(P, PTO_NS) != Deadline.NEVER) {
            assertThat(health.askAtNs(P, PTO_NS)).isGreaterThan(last);
            last = health.askAtNs(P, PTO_NS);
            health.asked(P);
            asked++;
        }
        assertThat(asked).isEqualTo(8);
        assertThat(last).isLessThan(health.confirmAtNs(P, PTO_NS));
        assertThat(health.confirmAtNs(P, PTO_NS)).isEqualTo(10_000 + 2 * PTO_NS);
    }

    @Test
    void aNewSuspicionIsAskedAboutAnew() {
        health.on(0, P, PathEvent.SILENT);
        for (int i = 0; i < 7; i++) {
            health.asked(P);
        }
        assertThat(health.askAtNs(P, PTO_NS)).isEqualTo(Deadline.NEVER);
        health.on(1, P, PathEvent.DELIVERED);
        health.on(2, P, PathEvent.SILENT);
        assertThat(health.askAtNs(P, PTO_NS)).isEqualTo(2 + PTO_NS / 4);
    }

    @ParameterizedTest
    @EnumSource(PathEvent.class)
    void whatTheTableDoesNotListChangesNothing(PathEvent event) {
        PathState before = health.state(P);
        boolean changed = health.on(5, P, event);
        assertThat(changed).isEqualTo(health.state(P) != before);
        assertThat(health.state(P)).isEqualTo(PathStates.TABLE.nextOrSame(before, event));
    }
}
