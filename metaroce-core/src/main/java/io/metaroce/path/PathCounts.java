package io.metaroce.path;

/** Counts what happens on a path. Packets are counted for ever; a count of events stops at 2^32 - 1. */
final class PathCounts {
    private static final long EVENTS_MAX = 0xFFFF_FFFFL;

    private PathCounts() {}

    static void onOpened(PathRow row) {
        row.slots++;
    }

    static void onSent(PathRow row) {
        row.transmissions++;
    }

    static void onReport(PathRow row, int moreMarks, int moreDuplicates) {
        row.marks += moreMarks;
        row.reportedTwice = sum(row.reportedTwice, moreDuplicates);
    }

    static void onLost(PathRow row) {
        row.lost = sum(row.lost, 1);
    }

    static void onResent(PathRow row, int n) {
        row.resentOtherwise = sum(row.resentOtherwise, n);
    }

    static void onSpurious(PathRow row, int n) {
        row.spurious = sum(row.spurious, n);
    }

    static void onProbe(PathRow row) {
        row.probes = sum(row.probes, 1);
    }

    private static int sum(int events, int more) {
        return (int) Math.min(Integer.toUnsignedLong(events) + more, EVENTS_MAX);
    }
}
