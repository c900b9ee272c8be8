package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.LivenessConfig;
import org.junit.jupiter.api.Test;

class DeadTimerTest {
    private static final long S = 1_000_000_000L;
    private final DeadTimer timer = timer(20 * S, 10 * S);

    @Test
    @Covers("R-CONN-007")
    void silenceOfTheDeadTimeAfterAQuestionIsDeath() {
        timer.onAsked(3 * S);
        timer.onAsked(9 * S); // the first question counts
        assertThat(timer.deadlineNs()).isEqualTo(13 * S);
        assertThat(timer.isDead(13 * S - 1)).isFalse();
        assertThat(timer.isDead(13 * S)).isTrue();
        assertThat(timer.heardNs()).isZero();
    }

    @Test
    void whoeverIsHeardLives() {
        timer.onAsked(3 * S);
        timer.onHeard(12 * S, DeadTimer.Expectation.AN_ANSWER);
        assertThat(timer.isDead(22 * S - 1)).isFalse();
        assertThat(timer.isDead(22 * S)).isTrue();
        timer.onHeard(22 * S, DeadTimer.Expectation.NOTHING);
        assertThat(timer.isDead(1000 * S)).isFalse();
    }

    @Test
    @Covers("R-CONN-007")
    void anIdleConnectionIsProbedAndProbedAgainWithinTheDeadTime() {
        assertThat(timer.takeProbe(20 * S - 1)).isZero();
        assertThat(timer.deadlineNs()).isEqualTo(20 * S);
        int turn = timer.takeProbe(20 * S);
        assertThat(turn).isPositive();
        assertThat(timer.takeProbe(20 * S)).isZero();
        long now = 20 * S;
        int probes = 1;
        while (timer.deadlineNs() < 30 * S) {
            now = timer.deadlineNs();
            assertThat(timer.isDead(now)).isFalse();
            assertThat(timer.takeProbe(now)).isEqualTo(turn + probes); // another path each time
            probes++;
        }
        assertThat(probes).isGreaterThanOrEqualTo(3);
        assertThat(timer.isDead(30 * S)).isTrue();
    }

    @Test
    @Covers("R-CONN-007")
    void anIdleLivePeerStaysConnected() {
        for (long now = 20 * S; now < 2000 * S; now = timer.deadlineNs()) {
            assertThat(timer.isDead(now)).isFalse();
            timer.takeProbe(now);
            timer.onHeard(now + 1000, DeadTimer.Expectation.NOTHING);
        }
    }

    @Test
    @Covers("R-CONN-007")
    void aPauseOfThisSideIsNoPartOfTheDeadTimeAndBeginsNoneAnew() {
        timer.onAsked(3 * S);
        timer.onPaused(9 * S, 4 * S);
        timer.onPaused(12 * S, S);
        assertThat(timer.isDead(18 * S - 1)).isFalse();
        assertThat(timer.isDead(18 * S)).isTrue();
        timer.onPaused(20 * S, 100 * S); // the question came in the midst of it
        assertThat(timer.isDead(30 * S - 1)).isFalse();
        assertThat(timer.isDead(30 * S)).isTrue();
    }

    @Test
    void aPauseAsksNothingOfAPeerThatOwesNothing() {
        timer.onPaused(15 * S, 5 * S);
        assertThat(timer.deadlineNs()).isEqualTo(25 * S);
        assertThat(timer.isDead(1000 * S)).isFalse();
    }

    @Test
    void theDeadlineIsNeverInThePastOfAQuestionTaken() {
        DeadTimer eager = timer(1, 1);
        assertThat(eager.takeProbe(1)).isPositive();
        assertThat(eager.deadlineNs()).isGreaterThan(1);
    }

    private static DeadTimer timer(long keepaliveNs, long deadNs) {
        return new DeadTimer(new LivenessConfig(S, 7, 5, S, keepaliveNs, deadNs, S), new Patience(deadNs), 0);
    }
}
