package io.metaroce.rate;

import io.metaroce.num.Bits;
import java.util.Arrays;

/**
 * Bytes in flight on each path, and whether they filled its window before the signals of this instant were applied: a
 * {@link Flight} for each path, as rows of one table. Signals come in the order of time.
 */
final class PathFlights {
    private static final byte NOT_ASKED = 0; // at this instant, or something was sent since
    private static final byte USED = 1;
    private static final byte UNUSED = 2;

    private final int slackBytes;
    private final int[] bytes; // at most 8192 packets
    private final int[] settledBytes; // after the last send or signal
    private final @Bits(2) byte[] answer; // whether the window was used, once it was asked at this instant
    private long signalNs = -1; // the instant of the last signal of any path

    PathFlights(int count, int slackBytes) {
        this.slackBytes = slackBytes;
        bytes = new int[count];
        settledBytes = new int[count];
        answer = new byte[count];
    }

    void onSent(int path, int costBytes) {
        bytes[path] += costBytes;
        settledBytes[path] = bytes[path];
        answer[path] = NOT_ASKED;
    }

    void onLeft(int path, int costBytes) {
        bytes[path] -= costBytes;
    }

    /** A signal is about to be applied; what it settled has left flight already. */
    void onSignal(long nowNs, int path, long windowBytes) {
        if (nowNs != signalNs) {
            signalNs = nowNs;
            Arrays.fill(answer, NOT_ASKED);
        }
        if (answer[path] == NOT_ASKED) {
            answer[path] = settledBytes[path] > windowBytes - slackBytes ? USED : UNUSED;
        }
        settledBytes[path] = bytes[path];
    }

    /** Whether the window was full, but for the slack, before the signals of this instant; asked after one of them. */
    boolean wasUsed(int path) {
        return answer[path] == USED;
    }

    int bytes(int path) {
        return bytes[path];
    }
}
