package io.metaroce.compliance.adapter.model;

import io.metaroce.param.CloseReason;
import io.metaroce.path.PathState;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import io.metaroce.trace.Counter;
import io.metaroce.trace.DropReason;

/** Numbers of the engine's names, and names of its numbers. */
public final class Names {
    private static final DropReason[] REASONS = DropReason.values();
    private static final CloseReason[] CLOSES = CloseReason.values();
    private static final Counter[] COUNTERS = Counter.values();
    private static final PathState[] PATH_STATES = PathState.values();

    private Names() {}

    /** The number of a drop reason in records. */
    @SuppressWarnings("EnumOrdinal") // the order is that of the receive pipeline
    static int number(DropReason reason) {
        return reason.ordinal() + 1;
    }

    /** The drop reason with a number. */
    public static String dropReason(int number) {
        return number < 1 || number > REASONS.length ? "none" : REASONS[number - 1].label();
    }

    /** The number of a drop reason by its name, or 0. */
    public static int dropReason(String label) {
        for (DropReason reason : REASONS) {
            if (reason.label().equals(label)) {
                return number(reason);
            }
        }
        return 0;
    }

    /** The requirement that asks for a drop. */
    public static String dropRequirement(int number) {
        return number < 1 || number > REASONS.length ? "R-HDR-002" : REASONS[number - 1].tag();
    }

    /** Why a connection is gone. */
    static String closeReason(int number) {
        return number < CLOSES.length ? CLOSES[number].name() : String.valueOf(number);
    }

    /** The number of such a reason by its name, or -1. */
    @SuppressWarnings("EnumOrdinal") // as the engine tells it
    static int closeNumber(String name) {
        for (CloseReason reason : CLOSES) {
            if (reason.name().equals(name)) {
                return reason.ordinal();
            }
        }
        return -1;
    }

    /** The number of what a STATE record tells by its name, or -1. */
    static int happening(String name) {
        for (Happening what : Happening.values()) {
            if (what.name().equals(name)) {
                return what.number();
            }
        }
        return -1;
    }

    /** The state of a path. */
    static String pathState(long number) {
        return number < PATH_STATES.length ? PATH_STATES[(int) number].name() : String.valueOf(number);
    }

    /** A counter, drop reasons after the others. */
    static String counter(long number) {
        return number < COUNTERS.length
                ? COUNTERS[(int) number].label()
                : "drop_" + REASONS[(int) number - COUNTERS.length].label();
    }

    /** The status of a completion. */
    static String status(int number) {
        return WcStatus.of(number).name();
    }

    /** The number of a status by its name, or -1. */
    public static int statusNumber(String name) {
        for (WcStatus status : WcStatus.values()) {
            if (status.name().equals(name)) {
                return status.value();
            }
        }
        return -1;
    }

    /** The opcode of a completion. */
    static String opcode(long number) {
        for (WcOpcode opcode : WcOpcode.values()) {
            if (opcode.value() == number) {
                return opcode.name();
            }
        }
        return String.valueOf(number);
    }

    /** The number of the opcode of a completion by its name, or -1. */
    public static int opcodeNumber(String name) {
        for (WcOpcode opcode : WcOpcode.values()) {
            if (opcode.name().equals(name)) {
                return opcode.value();
            }
        }
        return -1;
    }
}
