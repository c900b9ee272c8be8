package io.metaroce.verbs;

import java.util.EnumMap;
import java.util.Map;

/**
 * The table of a queue pair's states: which changes exist, and what brings each about.
 *
 * <p>Changes that are not in the table are refused by name; a refused change changes nothing.
 */
public final class QpTransitions {
    /** What brings a change about. */
    public enum Cause {
        /** {@link QueuePair#modify}. */
        MODIFY("modify"),
        /** Connecting or accepting. */
        CONNECT("connect or accept"),
        /** The handshake has come to its end. */
        ESTABLISHED("the connection stands"),
        /** An error, a closed connection, or {@link QueuePair#modify}. */
        FAILURE("an error, the end of the connection, or modify"),
        /** An error or a closed connection; while a connection is being made, closing it is the way out. */
        BROKEN("an error, or the end of the connection");

        private final String words;

        Cause(String words) {
            this.words = words;
        }

        /** In plain words. */
        public String words() {
            return words;
        }
    }

    private static final Map<QpState, Map<QpState, Cause>> TABLE = new EnumMap<>(QpState.class);

    static {
        for (QpState state : QpState.values()) {
            TABLE.put(state, new EnumMap<>(QpState.class));
        }
        on(QpState.RESET, QpState.INIT, Cause.MODIFY);
        on(QpState.INIT, QpState.RTR, Cause.CONNECT);
        on(QpState.RTR, QpState.RTS, Cause.ESTABLISHED);
        on(QpState.RESET, QpState.ERR, Cause.FAILURE);
        on(QpState.INIT, QpState.ERR, Cause.FAILURE);
        on(QpState.RTR, QpState.ERR, Cause.BROKEN);
        on(QpState.RTS, QpState.ERR, Cause.FAILURE);
        on(QpState.ERR, QpState.RESET, Cause.MODIFY);
    }

    private QpTransitions() {}

    private static void on(QpState from, QpState to, Cause cause) {
        row(from).put(to, cause);
    }

    private static Map<QpState, Cause> row(QpState from) {
        Map<QpState, Cause> row = TABLE.get(from);
        if (row == null) {
            throw new IllegalStateException("the table has no row for " + from);
        }
        return row;
    }

    /** Whether the table has this change at all. */
    public static boolean allows(QpState from, QpState to) {
        return row(from).containsKey(to);
    }

    /** Whether {@link QueuePair#modify} may make this change. */
    public static boolean modifyAllows(QpState from, QpState to) {
        Cause cause = row(from).get(to);
        return cause == Cause.MODIFY || cause == Cause.FAILURE;
    }

    /** Where one can go from here, and how: {@code RTR (by connect or accept), ERR (by …)}. */
    public static String exits(QpState from) {
        StringBuilder out = new StringBuilder();
        row(from)
                .forEach((to, cause) -> out.append(out.length() == 0 ? "" : ", ")
                        .append(to)
                        .append(" (by ")
                        .append(cause.words())
                        .append(')'));
        return out.toString();
    }

    /** The whole table, one line a change. */
    public static String table() {
        StringBuilder out = new StringBuilder();
        for (QpState from : QpState.values()) {
            row(from)
                    .forEach((to, cause) -> out.append(from)
                            .append(" -> ")
                            .append(to)
                            .append(": ")
                            .append(cause.words())
                            .append('\n'));
        }
        return out.toString();
    }
}
