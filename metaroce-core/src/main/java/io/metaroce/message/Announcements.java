package io.metaroce.message;

import io.metaroce.num.Serial32;
import java.util.Arrays;

/**
 * What the peer has announced of streams that are not bound here yet, by id. The columns are as wide as the highest id
 * met so far asks for.
 */
final class Announcements {
    private final int idsMax;
    private final int firstRsn;
    private boolean[] isOpen = new boolean[0];
    private int[] limit = new int[0];

    /** Nothing is announced of ids below {@code idsMax}. */
    Announcements(int idsMax, int firstRsn) {
        this.idsMax = idsMax;
        this.firstRsn = firstRsn;
    }

    /** The peer says that a stream is open there. */
    void open(int id) {
        makeRoom(id);
        isOpen[id] = true;
    }

    /** The peer has posted receives up to {@code value}. */
    void raise(int id, int value) {
        makeRoom(id);
        limit[id] = Serial32.later(limit[id], value);
    }

    boolean isOpen(int id) {
        return id < isOpen.length && isOpen[id];
    }

    /** The highest limit heard of. */
    int limit(int id) {
        return id < limit.length ? limit[id] : firstRsn;
    }

    private void makeRoom(int id) {
        int before = limit.length;
        if (id >= before) {
            int places = Math.min(Integer.highestOneBit(Math.max(id, 1)) * 2, idsMax);
            isOpen = Arrays.copyOf(isOpen, places);
            limit = Arrays.copyOf(limit, places);
            Arrays.fill(limit, before, places, firstRsn);
        }
    }
}
