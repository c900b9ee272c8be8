package io.metaroce.rate;

/**
 * Bytes in flight, and whether they filled the window before the signals of this instant were applied.
 *
 * <p>All acknowledgements of one receive pass carry the same instant, and one acknowledgement carries blocks of several
 * paths. Whether a window was used is a question about the moment before the first of them, and about the window of
 * that moment: it is answered once, for all of them.
 */
final class Flight {
    private static final int WIDE_SHIFT = 7; // of wide windows a 128th is slack

    private final int slackBytes;
    private long bytes;
    private long settledBytes; // after the last send or signal
    private long signalNs = -1;
    private boolean sentSince;
    private boolean used;
    private boolean unheard; // nothing has left flight since it was empty

    Flight(int slackBytes) {
        this.slackBytes = slackBytes;
    }

    void onSent(int costBytes) {
        unheard |= bytes == 0;
        bytes += costBytes;
        settledBytes = bytes;
        sentSince = true;
    }

    void onLeft(long costBytes) {
        bytes -= costBytes;
        unheard = false;
    }

    /** Whether something is in flight, and of none of it anything has been heard since nothing was. */
    boolean isUnheard() {
        return unheard;
    }

    /** A signal is about to be applied; what it settled has left flight already. */
    void onSignal(long nowNs, long windowBytes) {
        if (nowNs != signalNs || sentSince) {
            // R-CC-010: reports that come together leave packets for the pacer, the more the wider a window is.
            used = settledBytes > windowBytes - Math.max(slackBytes, windowBytes >> WIDE_SHIFT);
            signalNs = nowNs;
            sentSince = false;
        }
        settledBytes = bytes;
    }

    /** Whether the window was full, but for the slack, before the signals of this instant. */
    boolean wasUsed() {
        return used;
    }

    long bytes() {
        return bytes;
    }
}
