package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.path.PathEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whom to ask whether the size in use still comes through. */
class PayloadDoubtTest {
    private static final int PATHS = 4;
    private final Rig a = Rig.a(PATHS, 1);
    private final PayloadDoubt doubt = new PayloadDoubt(a.paths);

    @Test
    void whoLosesBeyondChanceIsAskedFirst() {
        assertThat(doubt.next(1)).as("the next one when nobody does").isEqualTo(2);
        lose(0);
        assertThat(doubt.next(1)).isZero();
        lose(3);
        assertThat(doubt.next(1)).isEqualTo(3);
        assertThat(doubt.next(3)).isZero();
    }

    @Test
    void oneThatCarriesTheSizeEndsTheQuestionsToThoseThatLoseNothing() {
        lose(2);
        doubt.carries(1);
        assertThat(doubt.isCarried()).isTrue();
        assertThat(doubt.next(0)).isEqualTo(2);
        doubt.carries(2);
        assertThat(doubt.next(0)).isEqualTo(PayloadDoubt.NOBODY);
    }

    @Test
    void threeRoundsInWhichLessCameBackAreBelieved() {
        for (int round = 0; round < 3; round++) {
            assertThat(doubt.isNarrow(1)).isFalse();
            assertThat(doubt.next(0)).isEqualTo(1);
            doubt.carriesLess(1);
        }
        assertThat(doubt.isNarrow(1)).isTrue();
        assertThat(doubt.next(0)).isEqualTo(2);
        assertThat(doubt.isCarried()).isFalse();
    }

    @Test
    void whoCarriedItIsNeverTakenForNarrow() {
        doubt.carries(1);
        for (int round = 0; round < 5; round++) {
            doubt.carriesLess(1);
        }
        assertThat(doubt.isNarrow(1)).isFalse();
    }

    @Test
    void eightQuestionsAPathAreEnough() {
        for (int question = 0; question < 8 * PATHS; question++) {
            assertThat(doubt.next(question)).isNotEqualTo(PayloadDoubt.NOBODY);
        }
        assertThat(doubt.next(0)).isEqualTo(PayloadDoubt.NOBODY);
    }

    @ParameterizedTest
    @EnumSource(
            value = PathEvent.class,
            names = {"SILENT", "LEAVE_WANTED"})
    void pathsThatStillHaveSlotsAreAskedToo(PathEvent event) {
        a.paths.outbound(1).on(event, 10);
        assertThat(doubt.next(0)).isEqualTo(1);
    }

    @Test
    void aPathThatHasFailedOrIsParkedIsNotAsked() {
        a.paths.outbound(1).on(PathEvent.SILENT, 10);
        a.paths.outbound(1).on(PathEvent.CONFIRMED_ALONE, 20);
        assertThat(doubt.next(0)).isEqualTo(2);
    }

    private void lose(int path) {
        a.paths.losses().onReport(path, 0, 40, false);
    }
}
