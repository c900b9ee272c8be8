package io.metaroce.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Connections by their local number: open addressing over random 32-bit numbers, the only demultiplexer there is. */
final class ConnectionTable {
    private static final int NOBODY = 0; // no connection has this number

    private final int[] ids; // what is compared lies together, so that a search touches no connection but the right one
    private final @Nullable Peering[] places;
    private final int mask;
    private int count;

    /** A table for {@code connections} connections. */
    ConnectionTable(int connections) {
        int capacity = Integer.highestOneBit(Math.max(connections, 8) * 2 - 1) * 2;
        ids = new int[capacity];
        places = new Peering[capacity];
        mask = capacity - 1;
    }

    @Nullable
    Peering get(int id) {
        for (int i = home(id); ; i = (i + 1) & mask) {
            if (ids[i] == id || ids[i] == NOBODY) {
                return places[i];
            }
        }
    }

    void put(Peering peering) {
        int id = peering.connection().localId();
        int i = home(id);
        while (ids[i] != NOBODY) {
            i = (i + 1) & mask;
        }
        ids[i] = id;
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
        clear(i);
        for (int j = (i + 1) & mask; places[j] != null; j = (j + 1) & mask) {
            Peering moved = places[j];
            clear(j);
            if (moved != null) {
                put(moved);
            }
        }
    }

    private void clear(int place) {
        ids[place] = NOBODY;
        places[place] = null;
        count--;
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
