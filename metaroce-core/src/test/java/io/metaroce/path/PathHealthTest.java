package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PathHealthTest {
    private static final long PTO_NS = 1_000;
    private final PathHealth health = new PathHealth();

    @Test
    @Covers("R-HEALTH-001")
    void aSilentPathCarriesNothingNewAndResendsNothing() {
        assertThat(health.carriesNewSlots()).isTrue();
        assertThat(health.resends()).isTrue();
        assertThat(health.on(PathEvent.SILENT, 500)).isTrue();
        assertThat(health.state()).isEqualTo(PathState.SUSPECT);
        assertThat(health.suspectedAtNs()).isEqualTo(500);
        assertThat(health.carriesNewSlots()).isFalse();
        assertThat(health.resends()).isFalse();
    }

    @Test
    void aSuspicionBeginsOnce() {
        health.on(PathEvent.SILENT, 500);
        assertThat(health.on(PathEvent.SILENT, 700)).isFalse();
        assertThat(health.suspectedAtNs()).isEqualTo(500);
    }

    @Test
    void evidenceEndsIt() {
        health.on(PathEvent.SILENT, 500);
        health.onEvidence(600);
        assertThat(health.on(PathEvent.DELIVERED, 600)).isTrue();
        assertThat(health.state()).isEqualTo(PathState.ACTIVE);
        assertThat(health.lastEvidenceNs()).isEqualTo(600);
        assertThat(health.on(PathEvent.DELIVERED, 700)).isFalse();
    }

    @Test
    void aDrainingPathResendsAndOpensNothing() {
        health.on(PathEvent.LEAVE_WANTED, 1);
        assertThat(health.carriesNewSlots()).isFalse();
        assertThat(health.resends()).isTrue();
    }

    @Test
    void aSuspectIsAskedAgainSeveralTimesBeforeItIsConfirmed() {
        assertThat(health.askAtNs(PTO_NS)).isEqualTo(Deadline.NEVER);
        health.on(PathEvent.SILENT, 10_000);
        int asked = 1; // with the suspicion
        long last = 10_000;
        while (health.askAtNs(PTO_NS) != Deadline.NEVER) {
            assertThat(health.askAtNs(PTO_NS)).isGreaterThan(last);
            last = health.askAtNs(PTO_NS);
            health.asked();
            asked++;
        }
        assertThat(asked).isEqualTo(8);
        assertThat(last).isLessThan(health.confirmAtNs(PTO_NS));
        assertThat(health.confirmAtNs(PTO_NS)).isEqualTo(10_000 + 2 * PTO_NS);
    }

    @Test
    void aNewSuspicionIsAskedAboutAnew() {
        health.on(PathEvent.SILENT, 0);
        for (int i = 0; i < 7; i++) {
            health.asked();
        }
        assertThat(health.askAtNs(PTO_NS)).isEqualTo(Deadline.NEVER);
        health.on(PathEvent.DELIVERED, 1);
        health.on(PathEvent.SILENT, 2);
        assertThat(health.askAtNs(PTO_NS)).isEqualTo(2 + PTO_NS / 4);
    }

    @ParameterizedTest
    @EnumSource(PathEvent.class)
    void whatTheTableDoesNotListChangesNothing(PathEvent event) {
        PathState before = health.state();
        boolean changed = health.on(event, 5);
        assertThat(changed).isEqualTo(health.state() != before);
        assertThat(health.state()).isEqualTo(PathStates.TABLE.nextOrSame(before, event));
    }
}
