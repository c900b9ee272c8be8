package io.metaroce.path;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;
import io.metaroce.wire.PathBlock;

/**
 * One path as its receiver sees it: which slots have come, what to echo, what the next block about it will say.
 *
 * <p>Counters are cumulative and wrap, so that losing a report loses nothing.
 */
public final class InboundPath {
    private static final int TELL_TIMES = 2;
    private static final int ACK_DELAY_UNIT_NS = 64;
    private static final int WORD_BITS = 64;

    private final int id;
    private final RxWindow window;
    private final int wordsMax; // of a block
    private final Echo echo = new Echo();
    private @Bits(32) int rxPackets;
    private @Bits(16) int cePackets;
    private @Bits(16) int duplicates;
    private int flags; // of the next block
    private int untold; // reports that should still carry a block
    private int packetsSinceReport;
    private int bytesSinceReport;
    private boolean lastMarked;
    private boolean openedHole; // the last slot did
    private int turn; // of the moving view

    /**
     * A path whose first slot has number {@code firstPsn}.
     *
     * @param windowPackets slots it tells apart
     * @param wordsMax words of bitmap a block covers
     */
    public InboundPath(int id, int firstPsn, int windowPackets, int wordsMax) {
        this.id = id;
        this.window = new RxWindow(firstPsn, windowPackets);
        this.wordsMax = wordsMax;
    }

    /** Path number. */
    public int id() {
        return id;
    }

    /**
     * Judges an arriving slot. A slot beyond the window changes nothing but a flag; everything else is echoed and
     * counted.
     */
    public Arrival onSlot(int psn) {
        int beyondHighest = Serial32.distance(window.edge(), psn) - window.highestAhead();
        Arrival arrival = window.onPacket(psn);
        openedHole = arrival == Arrival.OUT_OF_ORDER && beyondHighest > 1;
        untold = TELL_TIMES;
        switch (arrival) {
            case ABOVE_WINDOW -> flags |= PathBlock.OUT_OF_WINDOW;
            case DUPLICATE, BELOW_WINDOW -> duplicates = (duplicates + 1) & 0xFFFF;
            case OUT_OF_ORDER -> flags |= openedHole ? PathBlock.GAP : 0;
            case IN_ORDER -> {}
        }
        return arrival;
    }

    /** Whether the slot judged last has left at least one missing between it and the highest one before it. */
    public boolean hasOpenedHole() {
        return openedHole;
    }

    /**
     * Takes note of stamp, epoch and mark of an arriving slot packet or in-path probe.
     *
     * @return whether the sender should hear of it at once: first packet of an epoch, or the mark state changed
     */
    public boolean onStamp(long nowNs, int txStamp, int pathEpoch, boolean marked) {
        rxPackets++;
        untold = TELL_TIMES;
        boolean urgent = echo.onStamp(nowNs, txStamp, pathEpoch);
        if (marked) {
            cePackets = (cePackets + 1) & 0xFFFF;
            flags |= PathBlock.MARKED;
        }
        urgent |= marked != lastMarked;
        lastMarked = marked;
        return urgent;
    }

    /** Counts an accepted slot towards the ordinary acknowledgement policy. */
    public void onAccepted(int bytes) {
        packetsSinceReport++;
        bytesSinceReport += bytes;
    }

    /** Slots accepted since the last report. */
    public int packetsSinceReport() {
        return packetsSinceReport;
    }

    /** Bytes accepted since the last report. */
    public int bytesSinceReport() {
        return bytesSinceReport;
    }

    /** Whether a slot is missing below one that has come. */
    public boolean hasHole() {
        return window.hasHole();
    }

    /** Whether the next report should carry a block about this path. */
    public boolean hasNews() {
        return untold > 0;
    }

    /** Bytes that the blocks about this path take at most. */
    public int blocksBytes() {
        int first = PathBlock.lengthBytes(Math.min(wordsNeeded(), wordsMax));
        return views() > 0 ? first + PathBlock.lengthBytes(wordsMax) : first;
    }

    /** Blocks that tell about this path now: 2 when what has come reaches beyond the first, else 1. */
    public int blocks() {
        return views() > 0 ? 2 : 1;
    }

    /** Writes the first block about this path; the news has been told once more, unless a view is to follow. */
    public void describe(long nowNs, PathBlock out) {
        describe(nowNs, 0, flags, out);
        flags = 0;
        packetsSinceReport = 0;
        bytesSinceReport = 0;
        if (views() == 0) {
            // R-ACK-008: news is told in at least two reports.
            untold--;
        }
    }

    /** Writes the second block of a path that has two, in the same report. */
    public void describeView(long nowNs, PathBlock out) {
        int views = views();
        // R-SACK-005: beyond the coverage of the first block another part is shown in each report, in turn.
        int view = 1 + turn % views;
        turn++;
        describe(nowNs, view * wordsMax, 0, out);
        // R-ACK-008: told is what every part was shown of.
        if (view == views) {
            untold--;
        }
    }

    /** How many views it takes to show what has come beyond the first block. */
    private int views() {
        return Math.max(window.highestAhead(), 0) / (wordsMax * WORD_BITS);
    }

    private int wordsNeeded() {
        return (window.highestAhead() + WORD_BITS) / WORD_BITS;
    }

    private void describe(long nowNs, int firstWord, int flags, PathBlock out) {
        int words = Math.min(wordsNeeded() - firstWord, wordsMax);
        while (words > 0 && window.word(firstWord + words - 1) == 0) {
            words--;
        }
        long delay = (nowNs - echo.atNs()) / ACK_DELAY_UNIT_NS;
        // R-SACK-001: the block says what was accepted, from the first PSN still owed on.
        out.pathId(id)
                .epoch(echo.epoch())
                .flags(flags)
                .words(words)
                .cumPsn(window.edge())
                .echoStamp(echo.stamp())
                // R-ACK-012: a delay that does not fit means that no sample is to be taken.
                .ackDelay((int) Math.min(delay, PathBlock.NO_RTT_SAMPLE))
                .sackOffset(firstWord * WORD_BITS)
                .rxPackets(rxPackets)
                .cePackets(cePackets)
                .duplicates(duplicates);
        for (int w = 0; w < words; w++) {
            // R-SACK-004: bit i stands for CumPSN + SackOff + i, least significant bit of word 0 first.
            out.bitmapWord(w, window.word(firstWord + w));
        }
    }

    /** Slot packets and probes received. */
    public int rxPackets() {
        return rxPackets;
    }

    /** Slots received again. */
    public int duplicates() {
        return duplicates;
    }

    /** Packets received with a congestion mark. */
    public int cePackets() {
        return cePackets;
    }
}
