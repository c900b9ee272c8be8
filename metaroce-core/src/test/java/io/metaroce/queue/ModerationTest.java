package io.metaroce.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.num.Deadline;
import org.junit.jupiter.api.Test;

class ModerationTest {
    private static final long PERIOD_NS = 50_000;

    private final DoorbellQueue doorbells = new DoorbellQueue(4);
    private int signals;
    private final CompletionRing ring = new CompletionRing(16, doorbells, () -> signals++);
    private final int work = ring.attach();
    private long nowNs = 1_000;

    @Test
    void soManyResultsAreOneSignal() {
        ring.moderate(4, PERIOD_NS);
        ring.arm(ArmMode.ANY);
        complete(3);
        assertThat(signals).isZero();
        complete(1);
        assertThat(signals).isEqualTo(1);
        complete(8);
        assertThat(signals).as("nobody has armed again").isEqualTo(1);
        ring.arm(ArmMode.ANY);
        complete(3);
        assertThat(signals)
                .as("what came while it was not armed does not count")
                .isEqualTo(1);
        complete(1);
        assertThat(signals).isEqualTo(2);
    }

    @Test
    void theFirstOfAFewWaitsNoLongerThanThePeriod() {
        ring.moderate(4, PERIOD_NS);
        ring.arm(ArmMode.ANY);
        complete(1);
        pass(0);
        assertThat(alarms().earliestNs()).isEqualTo(nowNs + PERIOD_NS);
        pass(PERIOD_NS / 2);
        complete(1);
        pass(PERIOD_NS / 2 - 1);
        assertThat(signals).isZero();
        pass(1);
        assertThat(signals).isEqualTo(1);
        assertThat(alarms().earliestNs()).isEqualTo(Deadline.NEVER);
    }

    @Test
    void aPeriodThatWasMadeNeedlessByTheCountTellsNothing() {
        ring.moderate(2, PERIOD_NS);
        ring.arm(ArmMode.ANY);
        complete(1);
        pass(0);
        complete(1);
        assertThat(signals).isEqualTo(1);
        ring.arm(ArmMode.ANY);
        pass(PERIOD_NS / 2);
        complete(1);
        pass(0);
        pass(PERIOD_NS / 2);
        assertThat(signals).as("the period of the first pair").isEqualTo(1);
        pass(PERIOD_NS / 2);
        assertThat(signals).as("that of the third result").isEqualTo(2);
    }

    @Test
    void whatWasSolicitedOrFailedIsToldAtOnce() {
        ring.moderate(8, PERIOD_NS);
        ring.arm(ArmMode.ANY);
        complete(1);
        assertThat(ring.reserve(work)).isTrue();
        ring.completed(work, 1, 1, WcStatus.SUCCESS, WcOpcode.RECV, 0, 0, WcFlag.SOLICITED);
        assertThat(signals).isEqualTo(1);
        ring.arm(ArmMode.ANY);
        assertThat(ring.reserve(work)).isTrue();
        ring.completed(work, 1, 2, WcStatus.WR_FLUSH_ERR, WcOpcode.SEND, 0, 0, 0);
        assertThat(signals).isEqualTo(2);
    }

    @Test
    void whoEndsModerationIsToldWhatWasHeldBack() {
        ring.moderate(8, PERIOD_NS);
        ring.arm(ArmMode.ANY);
        complete(2);
        pass(0);
        ring.moderate(1, 0);
        assertThat(signals).isEqualTo(1);
        pass(PERIOD_NS);
        assertThat(signals).isEqualTo(1);
        ring.arm(ArmMode.ANY);
        complete(1);
        assertThat(signals).isEqualTo(2);
    }

    @Test
    void aQueueThatIsGoneLeavesNoAlarm() {
        ring.moderate(8, PERIOD_NS);
        ring.arm(ArmMode.ANY);
        complete(1);
        pass(0);
        ring.retire();
        assertThat(alarms().earliestNs()).isEqualTo(Deadline.NEVER);
    }

    @Test
    void anAlarmThatIsSetEarlierGoesOffEarlier() {
        Alarm alarm = alarms().make(now -> signals++);
        alarm.set(100);
        alarm.set(50);
        assertThat(alarms().earliestNs()).isEqualTo(50);
        alarms().onDeadline(50);
        alarms().onDeadline(100);
        assertThat(signals).isEqualTo(1);
        alarm.set(200);
        alarm.set(300);
        alarms().onDeadline(200);
        assertThat(signals).isEqualTo(1);
        assertThat(alarms().earliestNs()).isEqualTo(300);
        alarms().onDeadline(300);
        assertThat(signals).isEqualTo(2);
    }

    @Test
    void countsThatNeverComeAreRefused() {
        assertThatThrownBy(() -> ring.moderate(17, PERIOD_NS)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ring.moderate(2, 0)).hasMessageContaining("period 0");
    }

    /** What the endpoint's thread does in one pass: what is due, then what was rung. */
    private void pass(long laterNs) {
        nowNs += laterNs;
        alarms().onDeadline(nowNs);
        doorbells.drain(nowNs);
    }

    private Alarms alarms() {
        return doorbells.alarms();
    }

    private void complete(int count) {
        for (int i = 0; i < count; i++) {
            if (!ring.reserve(work)) {
                for (CompletionCell cell = ring.take(); cell != null; cell = ring.take()) {
                    ring.release(cell);
                }
                assertThat(ring.reserve(work)).isTrue();
            }
            ring.completed(work, 1, i, WcStatus.SUCCESS, WcOpcode.SEND, 0, 0, 0);
        }
    }
}
