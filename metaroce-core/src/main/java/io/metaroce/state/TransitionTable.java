package io.metaroce.state;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A closed table (state, event) to state. A pair that is not listed is refused by name, never ignored.
 *
 * <p>Immutable once built; {@link #matrix()} and {@link #dot()} print every cell for people.
 *
 * @param <S> the states
 * @param <E> the events
 */
public final class TransitionTable<S extends Enum<S>, E extends Enum<E>> {
    private final S[] states;
    private final E[] events;
    private final @Nullable S[][] next;

    @SuppressWarnings("EnumOrdinal") // the one place where an ordinal is an index
    private TransitionTable(Builder<S, E> builder) {
        states = builder.states;
        events = builder.events;
        next = builder.next;
    }

    /** Starts a table over the constants of two enums. */
    public static <S extends Enum<S>, E extends Enum<E>> Builder<S, E> of(Class<S> states, Class<E> events) {
        return new Builder<>(states.getEnumConstants(), events.getEnumConstants());
    }

    /** Whether the pair is listed. */
    @SuppressWarnings("EnumOrdinal")
    public boolean allows(S state, E event) {
        return next[state.ordinal()][event.ordinal()] != null;
    }

    /**
     * The state that follows.
     *
     * @throws IllegalStateException when the pair is not listed; the message names both
     */
    @SuppressWarnings("EnumOrdinal")
    public S next(S state, E event) {
        S to = next[state.ordinal()][event.ordinal()];
        if (to == null) {
            throw new IllegalStateException("event " + event + " is not allowed in state " + state);
        }
        return to;
    }

    /** The state that follows, or {@code state} itself when the pair is not listed. */
    @SuppressWarnings("EnumOrdinal")
    public S nextOrSame(S state, E event) {
        S to = next[state.ordinal()][event.ordinal()];
        return to == null ? state : to;
    }

    /** The whole table as text, one row a state, one column an event. */
    public String matrix() {
        StringBuilder out = new StringBuilder();
        int width = widest() + 2;
        pad(out, "", width);
        for (E event : events) {
            pad(out, event.name(), width);
        }
        out.append('\n');
        for (int s = 0; s < states.length; s++) {
            pad(out, states[s].name(), width);
            for (int e = 0; e < events.length; e++) {
                S to = next[s][e];
                pad(out, to == null ? "-" : to.name(), width);
            }
            out.append('\n');
        }
        return out.toString().replaceAll(" +\n", "\n");
    }

    /** The whole table in the DOT language. */
    public String dot() {
        StringBuilder out = new StringBuilder("digraph {\n");
        for (int s = 0; s < states.length; s++) {
            for (int e = 0; e < events.length; e++) {
                S to = next[s][e];
                if (to != null) {
                    out.append(String.format(
                            Locale.ROOT,
                            "  %s -> %s [label=\"%s\"];%n",
                            states[s].name(),
                            to.name(),
                            events[e].name()));
                }
            }
        }
        return out.append("}\n").toString();
    }

    private int widest() {
        int width = 1;
        for (S state : states) {
            width = Math.max(width, state.name().length());
        }
        for (E event : events) {
            width = Math.max(width, event.name().length());
        }
        return width;
    }

    private static void pad(StringBuilder out, String text, int width) {
        out.append(text);
        for (int i = text.length(); i < width; i++) {
            out.append(' ');
        }
    }

    /**
     * Collects the rows of a table.
     *
     * @param <S> the states
     * @param <E> the events
     */
    public static final class Builder<S extends Enum<S>, E extends Enum<E>> {
        private final S[] states;
        private final E[] events;
        private final @Nullable S[][] next;

        private Builder(S[] states, E[] events) {
            this.states = states;
            this.events = events;
            this.next = rows(states, events.length);
        }

        /** Event {@code event} leads from each of {@code from} to {@code to}. A pair may be listed once. */
        @SuppressWarnings("EnumOrdinal")
        public Builder<S, E> on(E event, EnumSet<S> from, S to) {
            for (S state : from) {
                if (next[state.ordinal()][event.ordinal()] != null) {
                    throw new IllegalArgumentException(state + " on " + event + " is listed twice");
                }
                next[state.ordinal()][event.ordinal()] = to;
            }
            return this;
        }

        /** The finished table. */
        public TransitionTable<S, E> build() {
            return new TransitionTable<>(this);
        }

        @SuppressWarnings("unchecked") // an array of rows of the states' own array type
        private static <S> @Nullable S[][] rows(S[] states, int columns) {
            Object[] rows = (Object[]) java.lang.reflect.Array.newInstance(states.getClass(), states.length);
            for (int i = 0; i < rows.length; i++) {
                S[] row = Arrays.copyOf(states, columns);
                Arrays.fill(row, null);
                rows[i] = row;
            }
            return (S[][]) rows;
        }
    }
}
