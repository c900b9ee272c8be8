package io.metaroce.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Connections by their local number: open addressing over random 32-bit numbers, the only demultiplexer there is. */
final class ConnectionTable {
    private final @Nullable Peering[] places;
    private final int mask;
    private int count;

    /** A table for {@code connections} connections. */
    ConnectionTable(int connections) {
        int capacity = Integer.highestOneBit(Math.max(connections, 8) * 2 - 1) * 2;
        places = new Peering[capacity];
        mask = capacity - 1;
    }

    @Nullable
    Peering get(int id) {
        for (int i = home(id); ; i = (i + 1) & mask) {
            Peering at = places[i];
            if (at == null || at.connection().localId() == id) {
                return at;
            }
        }
    }

    void put(Peering peering) {
        int i = home(peering.connection().localId());
        while (places[i] != null) {
            i = (i + 1) & mask;
        }
        places[i] = peering;
        count++;
    }

    /** Takes a connection out and closes the gap it leaves. */
    void remove(Peering peering) {
        int i = home(peering.connection().localId());
        while (places[i] != peering) {
            if (places[i] == null) {
                return;
            }
            i = (i + 1) & mask;
        }
        places[i] = null;
        count--;
        for (int j = (i + 1) & mask; places[j] != null; j = (j + 1) & mask) {
            Peering moved = places[j];
            places[j] = null;
            count--;
            if (moved != null) {
                put(moved);
            }
        }
    }

    /** Places to look at by {@link #at}; most are empty. */
    int places() {
        return places.length;
    }

    @Nullable
    Peering at(int place) {
        return places[place];
    }

    int count() {
        return count;
    }

    List<Peering> all() {
        List<Peering> all = new ArrayList<>();
        for (Peering peering : places) {
            if (peering != null) {
                all.add(peering);
            }
        }
        return all;
    }

    private int home(int id) {
        return ((id * 0x9E3779B1) >>> 7) & mask;
    }
}
