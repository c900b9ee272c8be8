package io.metaroce.compliance.adapter.model;

import org.jspecify.annotations.Nullable;

/** What a record tells. Numbers are those of {@code spec/cosim.json}. */
public enum Kind {
    /** A datagram was accepted. */
    RX_ACCEPT(1),
    /** A datagram was dropped. */
    RX_DROP(2),
    /** Bytes were placed into registered memory. */
    PLACE(3),
    /** A completion. */
    CQE(4),
    /** Something happened to a connection, a stream or a path. */
    STATE(5),
    /** A counter has another value. */
    COUNTER(6),
    /** A deadline was due and ran. */
    TIMER_FIRE(7),
    /** A datagram leaves. */
    TX(8),
    /** Input of a log: a datagram arrives. */
    RX(16),
    /** Input of a log: time passes. */
    ADVANCE(17),
    /** Input of a log: a choice is told. */
    CHOICE(18);

    private static final Kind[] ALL = values();

    private final int number;

    Kind(int number) {
        this.number = number;
    }

    /** Its number in records. */
    public int number() {
        return number;
    }

    /** Whether it is something that enters. */
    public boolean isInput() {
        return number >= RX.number;
    }

    /** The kind with a number, or null. */
    public static @Nullable Kind of(int number) {
        for (Kind kind : ALL) {
            if (kind.number == number) {
                return kind;
            }
        }
        return null;
    }
}
