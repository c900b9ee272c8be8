package io.metaroce.tools.perf;

import java.util.function.Consumer;

/** Cuts a bandwidth test into intervals and tells of each as it ends. */
final class Intervals {
    private final long lengthNs;
    private final Consumer<Row> each;
    private long startNs;
    private long fromNs;
    private long fromBytes;
    private long fromResent;

    /**
     * One interval.
     *
     * @param fromSeconds when it began, since the beginning of the size
     * @param toSeconds when it ended
     * @param bytes payload completed in it
     * @param resent packets sent again in it
     */
    record Row(double fromSeconds, double toSeconds, long bytes, long resent) {
        double gbitsPerSecond() {
            return bytes * 8 / 1e9 / (toSeconds - fromSeconds);
        }

        double mibPerSecond() {
            return bytes / (toSeconds - fromSeconds) / (1 << 20);
        }
    }

    /** Intervals of so many ns, or none when it is 0. */
    Intervals(long lengthNs, Consumer<Row> each) {
        this.lengthNs = lengthNs;
        this.each = each;
    }

    void begin(long resent) {
        startNs = System.nanoTime();
        fromNs = startNs;
        fromBytes = 0;
        fromResent = resent;
    }

    /** So much has been done by now. */
    void note(long bytes, long resent) {
        long nowNs = System.nanoTime();
        if (lengthNs > 0 && nowNs - fromNs >= lengthNs) {
            each.accept(
                    new Row((fromNs - startNs) / 1e9, (nowNs - startNs) / 1e9, bytes - fromBytes, resent - fromResent));
            fromNs = nowNs;
            fromBytes = bytes;
            fromResent = resent;
        }
    }
}
