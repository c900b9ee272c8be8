package io.metaroce.compliance.adapter.model;

import java.util.Locale;

/** What a STATE record tells. Numbers are those of {@code spec/cosim.json}. */
public enum Happening {
    /** A peer asks for a connection. */
    OFFERED(true),
    /** A connection stands. */
    ESTABLISHED(true),
    /** A connection is gone or never came to be. */
    CLOSED(true),
    /** A path entered a state. */
    PATH(false),
    /** A path took another route. */
    REBOUND(false),
    /** A stream failed. */
    STREAM_FAILED(true),
    /** Packets carry at most so much payload from now on. */
    PAYLOAD(false),
    /** A slot was found lost. */
    SLOT_LOST(false),
    /** Nothing was heard of a path for long. */
    TIMED_OUT(false),
    /** The peer had no receive for a message. */
    REFUSED(true),
    /** The receiver granted another rate. */
    HINT(false);

    private static final Happening[] ALL = values();

    private final boolean isCompared;

    Happening(boolean isCompared) {
        this.isCompared = isCompared;
    }

    /** Its number in records. */
    @SuppressWarnings("EnumOrdinal") // the order of the constants is that of the table
    public int number() {
        return ordinal() + 1;
    }

    /** Whether every implementation must agree on it. */
    public boolean isCompared() {
        return isCompared;
    }

    /** Its name in JSON. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The one with a number; a number that none has reads as the nearest. */
    public static Happening of(long number) {
        return ALL[(int) Math.max(0, Math.min(number - 1, ALL.length - 1))];
    }
}
