package io.metaroce.compliance.adapter.model;

import java.util.Locale;

/** Where the specification leaves a choice. Numbers are those of {@code spec/cosim.json}. */
public enum ChoicePoint {
    /** Which path the next new slot takes. */
    PATH_SELECT,
    /** An acknowledgement leaves now. */
    ACK_NOW,
    /** How far apart resends leave. */
    RTX_PACE,
    /** When a timer that is due runs. */
    TIMER_FIRE_TIME,
    /** Which rate a receiver grants. */
    RATE_SHARE,
    /** PSN_SEED of the next connection. */
    INITIAL_PSN,
    /** How many completions are told at once. */
    CQE_BATCH,
    /** When a probe leaves. */
    PROBE_TIME,
    /** Which route a path takes. */
    REBIND,
    /** The number of the next connection. */
    CONN_ID,
    /** CRC_SEED of the next connection. */
    CRC_SEED,
    /** The nonce of the next request for a connection. */
    NONCE;

    private static final ChoicePoint[] ALL = values();

    /** Its number in frames and records. */
    @SuppressWarnings("EnumOrdinal") // the order of the constants is that of the table
    public int number() {
        return ordinal() + 1;
    }

    /** The point with a number. */
    static ChoicePoint of(int number) {
        if (number < 1 || number > ALL.length) {
            throw new Refused("E_ARG", "no choice point " + number);
        }
        return ALL[number - 1];
    }

    /** The number of a point by its name. */
    public static int number(String name) {
        for (ChoicePoint point : ALL) {
            if (point.label().equals(name)) {
                return point.number();
            }
        }
        throw new Refused("E_ARG", "no choice point " + name);
    }

    /** Its name in JSON. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
