package io.metaroce.queue;

/** One element that goes round in a ring for ever, and where it is. The place is checked by assertions only. */
abstract class Cell {
    /** Where a cell is. Whoever holds the cell moves it; the queues carry the field from thread to thread. */
    enum Place {
        FREE,
        ACQUIRED,
        POSTED,
        TAKEN
    }

    private final Object home;
    private Place place = Place.FREE;

    Cell(Object home) {
        this.home = home;
    }

    /** Whether the cell belongs to {@code ring} and was at {@code from}; it is at {@code to} now. */
    final boolean move(Object ring, Place from, Place to) {
        if (home != ring || place != from) {
            return false;
        }
        place = to;
        return true;
    }

    /** Where it is. */
    final Place place() {
        return place;
    }
}
