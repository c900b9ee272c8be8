package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.Test;

/** Which losses are due to a queue. A queue is in sight from a thirty-second of the round trip on, 375 ns. */
class QueueSightTest {
    private static final int Q = Rig.Q;
    private static final long BASE = 12_000;
    private static final long WAITING = 1_000;
    private static final int MANY = 40;

    private final LineModel line = new LineModel(Rig.LINE, 0, Q);
    private final QueueSight sight = new QueueSight(line);
    private final RateSignal signal = new RateSignal();

    QueueSightTest() {
        line.rtt0Ns(BASE);
    }

    @Test
    @Covers("R-CC-007")
    void aQueueTakesAllThatIsLostWhileNothingElseIsKnown() {
        blocks(MANY, WAITING, 9, 1);
        assertThat(sight.dueToQueueBytes(1_000)).isEqualTo(1_000);
    }

    @Test
    @Covers("R-CC-006")
    void nothingIsDueToAQueueThatIsNotThere() {
        blocks(MANY, 0, 9, 1);
        assertThat(sight.dueToQueueBytes(1_000)).isZero();
    }

    @Test
    @Covers("R-CC-006")
    void whatWaitsIsLostByChanceAsOftenAsWhatDoesNot() {
        for (int i = 0; i < MANY; i++) {
            blocks(1, 0, 9, 1);
            blocks(1, WAITING, 9, 1);
        }
        assertThat(sight.dueToQueueBytes(1_000)).isZero();
    }

    @Test
    @Covers("R-CC-007")
    void onlyWhatExceedsChanceIsDueToTheQueue() {
        for (int i = 0; i < MANY; i++) {
            blocks(3, 0, 39, 1);
            blocks(1, WAITING, 9, 1);
        }
        // 2.5 % by chance, and a quarter of that as margin; a tenth where packets wait.
        assertThat(sight.dueToQueueBytes(10_000)).isBetween(6_850L, 6_900L);
    }

    @Test
    @Covers("R-CC-007")
    void whatWasLearnedOfChanceFadesWhileEverybodyWaits() {
        blocks(MANY, 0, 9, 1);
        blocks(MANY, WAITING, 9, 1);
        long soon = sight.dueToQueueBytes(1_000);
        blocks(8 * MANY, WAITING, 9, 1);
        assertThat(sight.dueToQueueBytes(1_000)).isGreaterThan(950).isGreaterThan(soon);
    }

    @Test
    @Covers("R-CC-007")
    void tooMuchIsNoChanceWhateverTheDelay() {
        blocks(MANY, 0, 6, 1);
        assertThat(sight.dueToQueueBytes(1_000)).isEqualTo(1_000);
    }

    @Test
    void aBlockWithoutASampleIsJudgedByTheOneBefore() {
        blocks(1, 0, 9, 1);
        sight.onSignal(signal.reset().lost(Q));
        assertThat(sight.dueToQueueBytes(Q)).isZero();
        blocks(1, WAITING, 9, 1);
        sight.onSignal(signal.reset().lost(Q));
        assertThat(sight.dueToQueueBytes(Q)).isEqualTo(Q);
    }

    private void blocks(int count, long excessNs, int acked, int lost) {
        for (int i = 0; i < count; i++) {
            signal.reset().rtt(BASE + excessNs, BASE, BASE, BASE);
            for (int packet = 0; packet < acked; packet++) {
                signal.acked(Q);
            }
            for (int packet = 0; packet < lost; packet++) {
                signal.lost(Q);
            }
            sight.onSignal(signal);
        }
    }
}
