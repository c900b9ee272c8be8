package io.metaroce.queue;

/** Which completion wakes a waiter. */
public enum ArmMode {
    /** A receive whose sender asked for it, or any completion in error. */
    SOLICITED(1),
    /** The next completion, whatever it is. */
    ANY(2);

    private final int bit;

    ArmMode(int bit) {
        this.bit = bit;
    }

    /** Arming is cumulative, so each mode is a bit of one word. */
    int bit() {
        return bit;
    }
}
