package io.metaroce.queue;

/**
 * When an armed completion queue tells that results have come: at the first, or not before so many are there or the
 * first of them has waited so long. What was solicited, and what failed, is told at once.
 *
 * <p>Thread rule: the endpoint's thread.
 */
final class Moderation {
    private final Bell bell; // asks for the time, which is not known where results come
    private final Alarm alarm;
    private final CompletionSignal over;
    private int count = 1;
    private long periodNs;
    private int held;

    /**
     * No moderation.
     *
     * @param bell brings {@link #onRung}
     * @param over told when the first result has waited for long enough
     */
    Moderation(Bell bell, Alarms alarms, CompletionSignal over) {
        this.bell = bell;
        this.over = over;
        this.alarm = alarms.make(nowNs -> release());
    }

    /** Other values from now on; what was held back by the former ones is told now. */
    void set(int resultsAtLeast, long longestNs) {
        count = resultsAtLeast;
        periodNs = longestNs;
        if (held > 0) {
            release();
        }
    }

    /** A result has come that the queue was armed for; whether to tell it, with those that were held back. */
    boolean isTold(int answers) {
        held++;
        if (held >= count || (answers & ArmMode.SOLICITED.bit()) != 0) {
            held = 0;
            alarm.forget();
            return true;
        }
        if (held == 1) {
            bell.ring();
        }
        return false;
    }

    /** The time is known. */
    void onRung(long nowNs) {
        if (held > 0 && !alarm.isSet()) {
            alarm.set(nowNs + periodNs);
        }
    }

    void retire() {
        alarm.takeOut();
    }

    private void release() {
        held = 0;
        alarm.forget();
        over.signal();
    }
}
