package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Votes on one plane: it is 10 us, the first silent path fell silent at 4 us, a probe timeout takes 5 us. */
class PlaneTallyTest {
    private static final long NOW = 10_000;
    private static final long SINCE = 4_000;
    private static final long LATELY = 2_000;
    private final PlaneTally tally = new PlaneTally();

    @Test
    void twoThirdsOfThoseThatCouldTellAndTwoAtLeast() {
        for (int silent = 0; silent < 8; silent++) {
            for (int heard = 0; heard < 8; heard++) {
                votes(NOW, silent, heard, NOW - LATELY + 1, true);
                assertThat(tally.isPlaneLost())
                        .as("%s silent, %s heard", silent, heard)
                        .isEqualTo(silent >= 2 && 3 * silent >= 2 * (silent + heard));
            }
        }
    }

    @Test
    void nothingIsLostWhileNoOtherPlaneDelivers() {
        votes(NOW, 5, 0, 0, false);
        assertThat(tally.isPlaneLost()).isFalse();
        tally.onOtherPlane(SINCE - 1);
        assertThat(tally.isPlaneLost()).as("that was before").isFalse();
        tally.onOtherPlane(SINCE);
        assertThat(tally.isPlaneLost()).isTrue();
    }

    @Test
    void whoDeliveredLongAgoHasNoVoteAtOnce() {
        votes(NOW, 2, 4, NOW - LATELY, true);
        assertThat(tally.isPlaneLost()).isTrue();
        votes(NOW, 2, 4, NOW - LATELY + 1, true);
        assertThat(tally.isPlaneLost()).isFalse();
    }

    @Test
    void afterAProbeTimeoutOnlyWhoDeliveredSinceHasAVote() {
        // All four have delivered lately, but before the first one fell silent.
        votes(SINCE + 5_000 - 1, 2, 4, SINCE, true);
        long lately = 1_000_000;
        tally.reset(SINCE + 5_000 - 1, SINCE, 5_000);
        count(2, 4, SINCE, lately);
        assertThat(tally.isPlaneLost()).isFalse();
        tally.reset(SINCE + 5_000, SINCE, 5_000);
        count(2, 4, SINCE, lately);
        assertThat(tally.isPlaneLost()).isTrue();
        tally.reset(SINCE + 5_000, SINCE, 5_000);
        count(2, 4, SINCE + 1, lately);
        assertThat(tally.isPlaneLost()).isFalse();
    }

    private void votes(long nowNs, int silent, int heard, long evidenceNs, boolean delivers) {
        tally.reset(nowNs, SINCE, 1_000_000);
        if (delivers) {
            tally.onOtherPlane(SINCE);
        }
        for (int i = 0; i < silent; i++) {
            tally.countSilent();
        }
        for (int i = 0; i < heard; i++) {
            tally.countHeard(evidenceNs, LATELY);
        }
    }

    private void count(int silent, int heard, long evidenceNs, long latelyNs) {
        tally.onOtherPlane(SINCE);
        for (int i = 0; i < silent; i++) {
            tally.countSilent();
        }
        for (int i = 0; i < heard; i++) {
            tally.countHeard(evidenceNs, latelyNs);
        }
    }
}
