package io.metaroce.path;

import io.metaroce.num.Bits;

/**
 * What has happened on the outbound paths, for people and tools. What counts packets goes on for ever; what counts
 * events stops at 2^32 - 1.
 */
public final class PathStats {
    private static final long EVENTS_MAX = 0xFFFF_FFFFL;

    private final long[] slots;
    private final long[] transmissions;
    private final long[] marks;
    private final @Bits(32) int[] lost;
    private final @Bits(32) int[] resentOtherwise; // than by the rule of gaps
    private final @Bits(32) int[] spurious;
    private final @Bits(32) int[] probes;
    private final @Bits(32) int[] duplicates;
    private final @Bits(32) int[] rebinds;

    PathStats(int paths) {
        slots = new long[paths];
        transmissions = new long[paths];
        marks = new long[paths];
        lost = new int[paths];
        resentOtherwise = new int[paths];
        spurious = new int[paths];
        probes = new int[paths];
        duplicates = new int[paths];
        rebinds = new int[paths];
    }

    void onOpened(int path) {
        slots[path]++;
    }

    void onSent(int path) {
        transmissions[path]++;
    }

    void onLost(int path) {
        count(lost, path, 1);
    }

    void onResent(int path, int n) {
        count(resentOtherwise, path, n);
    }

    void onSpurious(int path, int n) {
        count(spurious, path, n);
    }

    void onProbe(int path) {
        count(probes, path, 1);
    }

    void onReport(int path, int moreMarks, int moreDuplicates) {
        marks[path] += moreMarks;
        count(duplicates, path, moreDuplicates);
    }

    void onRebind(int path) {
        count(rebinds, path, 1);
    }

    /** Slots opened. */
    public long slots(int path) {
        return slots[path];
    }

    /** Slot packets sent, resends included. */
    public long transmissions(int path) {
        return transmissions[path];
    }

    /** Slot packets sent again, for any reason. */
    public long resent(int path) {
        return lost(path) + Integer.toUnsignedLong(resentOtherwise[path]);
    }

    /** Slots found lost by a gap. */
    public long lost(int path) {
        return Integer.toUnsignedLong(lost[path]);
    }

    /** Slots taken for lost by a gap that are proved to have come: the path does not keep its order. */
    public long spurious(int path) {
        return Integer.toUnsignedLong(spurious[path]);
    }

    /** Probes sent in the path. */
    public long probes(int path) {
        return Integer.toUnsignedLong(probes[path]);
    }

    /** Duplicates the receiver reports for the path. */
    public long duplicates(int path) {
        return Integer.toUnsignedLong(duplicates[path]);
    }

    /** Marks the receiver reports for the path. */
    public long marks(int path) {
        return marks[path];
    }

    /** Times the path took another route. */
    public long rebinds(int path) {
        return Integer.toUnsignedLong(rebinds[path]);
    }

    private static void count(int[] events, int path, int n) {
        events[path] = (int) Math.min(Integer.toUnsignedLong(events[path]) + n, EVENTS_MAX);
    }
}
