package io.metaroce.engine;

import java.util.Comparator;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Connections that others have asked for, by what their requests said: a repetition finds its own without a search. */
final class RequestIndex {
    /** What tells a request from others. */
    record Key(int initConnId, long nonce) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparingLong(Key::nonce).thenComparingInt(Key::initConnId);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    private final TreeMap<Key, Peering> made = new TreeMap<>();

    /** The connection that a request has made, or null. */
    @Nullable
    Peering get(int initConnId, long nonce) {
        return made.get(new Key(initConnId, nonce));
    }

    /** A request has made this connection. */
    void put(int initConnId, long nonce, Peering peering) {
        peering.request = new Key(initConnId, nonce);
        made.put(peering.request, peering);
    }

    /** The connection is forgotten; without effect for one of this side's making. */
    void remove(Peering peering) {
        if (peering.request != null) {
            boolean unused = made.remove(peering.request, peering);
        }
    }
}
