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

    /** A path whose first slot has number {@code firstPsn}. */
    public InboundPath(int id, int firstPsn) {
        this.id = id;
        this.window = new RxWindow(firstPsn);
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

    /** Bitmap words the block would carry now. */
    public int words() {
        int ahead = window.highestAhead();
        return ahead < 0 ? 0 : ahead / WORD_BITS + 1;
    }

    /** Writes the block about this path; its news has been told once more. */
    public void describe(long nowNs, PathBlock out) {
        int words = words();
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
                .sackOffset(0)
                .rxPackets(rxPackets)
                .cePackets(cePackets)
                .duplicates(duplicates);
        for (int w = 0; w < words; w++) {
            // R-SACK-004: bit i stands for CumPSN + i, least significant bit of word 0 first.
            out.bitmapWord(w, window.word(w));
        }
        // R-ACK-008: news is told in at least two reports.
        untold--;
        flags = 0;
        packetsSinceReport = 0;
        bytesSinceReport = 0;
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
