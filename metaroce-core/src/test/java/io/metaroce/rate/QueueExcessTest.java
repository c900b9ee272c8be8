package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueExcessTest {
    private final QueueExcess excess = new QueueExcess(3);
    private final PathWindows windows = new PathWindows(3, 4218);
    private final PathRounds rounds = new PathRounds(3);

    @Test
    void aRoundSaysTheLeastOfItsSamples() {
        excess.onSample(1, 500);
        excess.onSample(1, 300);
        excess.onSample(1, 400);
        assertThat(excess.finishedNs(1)).isEqualTo(QueueExcess.NONE);
        excess.turn(1);
        assertThat(excess.finishedNs(1)).isEqualTo(300);
        assertThat(excess.finishedNs(0)).isEqualTo(QueueExcess.NONE);
        excess.turn(1);
        assertThat(excess.finishedNs(1)).isEqualTo(QueueExcess.NONE);
    }

    @Test
    void aQueueOfMinutesIsLongAndStillKnown() {
        excess.onSample(0, 100_000_000_000L);
        excess.turn(0);
        assertThat(excess.finishedNs(0)).isEqualTo(QueueExcess.NONE - 1);
    }

    @Test
    void anotherRouteHasAnotherQueue() {
        excess.onSample(0, 500);
        excess.turn(0);
        excess.onSample(0, 200);
        excess.forget(0);
        assertThat(excess.finishedNs(0)).isEqualTo(QueueExcess.NONE);
        excess.turn(0);
        assertThat(excess.finishedNs(0)).isEqualTo(QueueExcess.NONE);
    }

    @Test
    void theLeastIsThatOfActivePathsWithAFreshRound() {
        finish(0, 100, 50);
        finish(1, 200, 30);
        finish(2, 300, 70);
        assertThat(least(100)).isEqualTo(QueueExcess.NONE);
        windows.activate(0);
        windows.activate(2);
        assertThat(least(100)).isEqualTo(50);
        assertThat(least(101)).isEqualTo(70);
        windows.activate(1);
        assertThat(least(200)).isEqualTo(30);
        assertThat(least(301)).isEqualTo(QueueExcess.NONE);
    }

    private void finish(int path, long atNs, long excessNs) {
        assertThat(rounds.turns(atNs, path)).isTrue();
        excess.onSample(path, excessNs);
        excess.turn(path);
    }

    private int least(long sinceNs) {
        return excess.leastNs(windows, rounds, sinceNs);
    }
}
