package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Deadline;
import org.junit.jupiter.api.Test;

/** When everything counts as silent, how often somebody is asked then, and what ends it. */
class StallWatchTest {
    private static final long TIMEOUT_NS = 100;
    private static final long LONGEST_NS = 1_500;
    private static final long HEARD_NS = 10_000;
    private final StallWatch stall = new StallWatch(LONGEST_NS);

    @Test
    @Covers("R-HEALTH-012")
    void aTimeoutIsAStallOnlyWhenNobodyHasSpokenForOne() {
        assertThat(stall.endsWith(HEARD_NS, 0)).isFalse();
        stall.onTimeout(HEARD_NS + TIMEOUT_NS - 1, TIMEOUT_NS);
        assertThat(stall.isTotal()).isFalse();
        assertThat(stall.stepAtNs()).isEqualTo(Deadline.NEVER);
        stall.onTimeout(HEARD_NS + TIMEOUT_NS, TIMEOUT_NS);
        assertThat(stall.isTotal()).isTrue();
        assertThat(stall.stepAtNs()).isEqualTo(HEARD_NS + 3 * TIMEOUT_NS);
        stall.onTimeout(HEARD_NS + 2 * TIMEOUT_NS, TIMEOUT_NS);
        assertThat(stall.stepAtNs()).isEqualTo(HEARD_NS + 3 * TIMEOUT_NS);
    }

    @Test
    @Covers("R-HEALTH-012")
    void pausesDoubleUpToTheLongest() {
        assertThat(stall.step(0, TIMEOUT_NS)).isEqualTo(1);
        assertThat(stall.stepAtNs()).isEqualTo(200);
        assertThat(stall.step(200, TIMEOUT_NS)).isEqualTo(2);
        assertThat(stall.stepAtNs()).isEqualTo(600);
        assertThat(stall.step(600, TIMEOUT_NS)).isEqualTo(3);
        assertThat(stall.stepAtNs()).isEqualTo(1_400);
        assertThat(stall.step(1_400, TIMEOUT_NS)).isEqualTo(4);
        assertThat(stall.stepAtNs()).isEqualTo(1_400 + LONGEST_NS);
        for (int i = 5; i <= 200; i++) {
            // The number goes on, since it says whose turn it is.
            assertThat(stall.step(i * 10_000L, TIMEOUT_NS)).isEqualTo(i);
            assertThat(stall.stepAtNs()).isEqualTo(i * 10_000L + LONGEST_NS);
        }
    }

    @Test
    @Covers("R-HEALTH-012")
    void afterFourDoublingsEachPauseIsAQuarterLonger() {
        StallWatch patient = new StallWatch(1_000_000);
        long pauseNs = 0;
        for (int i = 1; i <= 4; i++) {
            assertThat(patient.step(0, TIMEOUT_NS)).isEqualTo(i);
            pauseNs = patient.stepAtNs();
        }
        assertThat(pauseNs).isEqualTo(1_600);
        assertThat(patient.step(0, TIMEOUT_NS)).isEqualTo(5);
        assertThat(patient.stepAtNs()).isEqualTo(2_000);
        assertThat(patient.step(0, TIMEOUT_NS)).isEqualTo(6);
        assertThat(patient.stepAtNs()).isEqualTo(2_500);
    }

    @Test
    void singlePathsRestFromTheFourthStepOn() {
        for (int i = 1; i <= 6; i++) {
            assertThat(stall.step(i, TIMEOUT_NS)).isEqualTo(i);
            assertThat(stall.restsPaths()).isEqualTo(i >= 4);
        }
    }

    @Test
    void routesAreDoubtedAfterThreeStepsAndAgainThreeStepsAfterAMove() {
        for (int i = 1; i <= 9; i++) {
            assertThat(stall.step(i, TIMEOUT_NS)).isEqualTo(i);
            assertThat(stall.doubtsRoutes()).isEqualTo(i >= 3 && i != 5 && i != 6);
            if (i == 4) {
                stall.onMoved(i, TIMEOUT_NS);
                assertThat(stall.doubtsRoutes()).isFalse();
                assertThat(stall.stepAtNs()).isEqualTo(i + TIMEOUT_NS);
            }
        }
    }

    @Test
    void howeverLongItLastsRoutesAreDoubtedAgainAfterAMove() {
        int steps = 0;
        while (steps < 100) {
            steps = stall.step(steps, TIMEOUT_NS);
        }
        stall.onMoved(100, TIMEOUT_NS);
        for (int i = 1; i <= 3; i++) {
            assertThat(stall.doubtsRoutes()).isFalse();
            assertThat(stall.step(100 + i, TIMEOUT_NS)).isEqualTo(100 + i);
        }
        assertThat(stall.doubtsRoutes()).isTrue();
    }

    @Test
    void aMoveDoesNotPutOffTheNextQuestion() {
        assertThat(stall.step(0, TIMEOUT_NS)).isEqualTo(1);
        stall.onMoved(0, 1_000);
        assertThat(stall.stepAtNs()).isEqualTo(200);
    }

    @Test
    @Covers("R-HEALTH-003")
    void theFirstWordEndsItAndGivesTheOthersGrace() {
        stall.onTimeout(HEARD_NS, TIMEOUT_NS);
        assertThat(stall.endsWith(HEARD_NS + 50, TIMEOUT_NS)).isTrue();
        assertThat(stall.isTotal()).isFalse();
        assertThat(stall.stepAtNs()).isEqualTo(Deadline.NEVER);
        assertThat(stall.graceUntilNs()).isEqualTo(HEARD_NS + 150);
        assertThat(stall.isGrace(HEARD_NS + 149)).isTrue();
        assertThat(stall.isGrace(HEARD_NS + 150)).isFalse();
        assertThat(stall.endsWith(HEARD_NS + 60, TIMEOUT_NS)).isFalse();
        assertThat(stall.graceUntilNs()).isEqualTo(HEARD_NS + 150);
    }

    @Test
    void whatWasMovedInOneStallDoesNotCountInTheNext() {
        for (int i = 1; i <= 5; i++) {
            assertThat(stall.step(i, TIMEOUT_NS)).isEqualTo(i);
        }
        stall.onMoved(5, TIMEOUT_NS);
        assertThat(stall.endsWith(6, TIMEOUT_NS)).isTrue();
        for (int i = 1; i <= 3; i++) {
            assertThat(stall.doubtsRoutes()).isFalse();
            assertThat(stall.step(i, TIMEOUT_NS)).isEqualTo(i);
        }
        assertThat(stall.doubtsRoutes()).isTrue();
    }

    @Test
    @Covers("R-HEALTH-003")
    void aPauseOfThisSideIsNoSilenceOfTheOther() {
        stall.onPaused(HEARD_NS, TIMEOUT_NS);
        assertThat(stall.isGrace(HEARD_NS)).isTrue();
        stall.onTimeout(HEARD_NS + TIMEOUT_NS - 1, TIMEOUT_NS);
        assertThat(stall.isTotal()).isFalse();
    }
}
