package io.metaroce.rate;

import java.util.Arrays;

/**
 * Bytes in flight on each path, and whether they filled its window before the signals of this instant were applied: a
 * {@link Flight} for each path, as rows of one table. Signals come in the order of time.
 */
final class PathFlights {
    private final int slackBytes;
    private final int[] bytes; // at most 8192 packets
    private final int[] settledBytes; // after the last send or signal
    private final boolean[] signalled; // at this instant, and nothing was sent since
    private final boolean[] used;
    private long signalNs = -1; // the instant of the last signal of any path

    PathFlights(int count, int slackBytes) {
        this.slackBytes = slackBytes;
        bytes = new int[count];
        settledBytes = new int[count];
        signalled = new boolean[count];
        used = new boolean[count];
    }

    void onSent(int path, int costBytes) {
        bytes[path] += costBytes;
        settledBytes[path] = bytes[path];
        signalled[path] = false;
    }

    void onLeft(int path, int costBytes) {
        bytes[path] -= costBytes;
    }

    /** A signal is about to be applied; what it settled has left flight already. */
    void onSignal(long nowNs, int path, long windowBytes) {
        if (nowNs != signalNs) {
            signalNs = nowNs;
            Arrays.fill(signalled, false);
        }
        if (!signalled[path]) {
            used[path] = settledBytes[path] > windowBytes - slackBytes;
            signalled[path] = true;
        }
        settledBytes[path] = bytes[path];
    }

    /** Whether the window was full, but for the slack, before the signals of this instant. */
    boolean wasUsed(int path) {
        return used[path];
    }

    int bytes(int path) {
        return bytes[path];
    }
}
