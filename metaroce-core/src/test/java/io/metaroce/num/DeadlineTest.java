package io.metaroce.num;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeadlineTest {
    private final Deadline deadline = new Deadline();

    @Test
    void aNewDeadlineNeverComes() {
        assertThat(deadline.isArmed()).isFalse();
        assertThat(deadline.atNs()).isEqualTo(Deadline.NEVER);
        assertThat(deadline.isDue(Long.MAX_VALUE - 1)).isFalse();
    }

    @Test
    void itIsDueFromItsInstantOn() {
        deadline.arm(100);
        assertThat(deadline.isDue(99)).isFalse();
        assertThat(deadline.isDue(100)).isTrue();
        assertThat(deadline.isDue(101)).isTrue();
    }

    @Test
    void armingReplacesAndArmingEarlierOnlyEverShortens() {
        deadline.arm(100);
        deadline.arm(200);
        assertThat(deadline.atNs()).isEqualTo(200);
        deadline.armEarlier(300);
        assertThat(deadline.atNs()).isEqualTo(200);
        deadline.armEarlier(50);
        assertThat(deadline.atNs()).isEqualTo(50);
    }

    @Test
    void aCancelledDeadlineNeverComes() {
        deadline.arm(1);
        deadline.cancel();
        assertThat(deadline.isDue(1_000_000)).isFalse();
        assertThat(deadline.isArmed()).isFalse();
        deadline.armEarlier(7);
        assertThat(deadline.isArmed()).isTrue();
    }
}
