package io.metaroce.path;

import java.util.HashSet;
import java.util.Set;

/** The slow twin of {@link RxWindow}: a set of numbers and an edge. */
final class SlowWindow {
    private final Set<Integer> arrived = new HashSet<>();
    private final int width;
    private int edge;

    SlowWindow(int firstPsn) {
        this(firstPsn, RxWindow.WIDTH_PACKETS);
    }

    SlowWindow(int firstPsn, int width) {
        edge = firstPsn;
        this.width = width;
    }

    int edge() {
        return edge;
    }

    boolean has(int ahead) {
        return arrived.contains(edge + ahead);
    }

    int highestAhead() {
        int highest = -1;
        for (int ahead = 0; ahead < width; ahead++) {
            highest = has(ahead) ? ahead : highest;
        }
        return highest;
    }

    Arrival onPacket(int psn) {
        long ahead = (int) ((long) psn - edge);
        if (ahead < 0) {
            return Arrival.BELOW_WINDOW;
        }
        if (ahead >= width) {
            return Arrival.ABOVE_WINDOW;
        }
        if (!arrived.add(psn)) {
            return Arrival.DUPLICATE;
        }
        if (psn != edge) {
            return Arrival.OUT_OF_ORDER;
        }
        while (arrived.remove(edge)) {
            edge++;
        }
        return Arrival.IN_ORDER;
    }
}
