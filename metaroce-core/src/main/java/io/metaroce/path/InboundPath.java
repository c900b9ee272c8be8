package io.metaroce.path;

import io.metaroce.num.BitRing;
import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;
import io.metaroce.wire.PathBlock;
import org.jspecify.annotations.Nullable;

/**
 * One path as its receiver sees it: which slots have come, what to echo, what the next block about it will say. All of
 * it stands side by side in this one row; {@link RxWindow} and {@link Echo} read and write their own section of it and
 * no other.
 *
 * <p>Counters are cumulative and wrap, so that losing a report loses nothing.
 */
public final class InboundPath {
    private static final int TELL_TIMES = 2;
    private static final int ACK_DELAY_UNIT_NS = 64;
    private static final int WORD_BITS = 64;

    // RxWindow
    @Nullable
    BitRing early; // what has arrived beyond the edge; most paths keep their order and need none

    @Bits(32)
    int edge; // first PSN still owed

    @Bits(32)
    int highest; // meaningful while some are early

    @Bits(15)
    char earlyCount;

    @Bits(4)
    final byte widthLog2; // the window is that wide, in packets

    // Echo
    @Bits(32)
    int stamp;

    @Bits(8)
    byte epoch;

    boolean echoing; // false until something has come

    long stampAtNs;
    long lastArrivalNs;

    @Nullable
    final HeldEcho held; // where the path is read through several queues

    // what blocks say beyond that, and how much there is to say
    private final @Bits(8) byte id;
    private final @Bits(5) byte wordsMax; // of a block
    private @Bits(32) int rxPackets;
    private @Bits(16) char cePackets;
    private @Bits(16) char duplicates;
    private @Bits(8) byte flags; // of the next block
    private @Bits(2) byte untold; // reports that should still carry a block
    private int packetsSinceReport;
    private int bytesSinceReport;
    private boolean lastMarked;
    private boolean openedHole; // the last slot did
    private @Bits(8) byte lastView; // the one shown last, 0 if none was

    /**
     * A path whose first slot has number {@code firstPsn}.
     *
     * @param windowPackets slots it tells apart, a power of two, 64..32768
     * @param wordsMax words of bitmap a block covers
     */
    public InboundPath(int id, int firstPsn, int windowPackets, int wordsMax) {
        this(id, firstPsn, windowPackets, wordsMax, null);
    }

    /** The same, read through several queues. */
    InboundPath(int id, int firstPsn, int windowPackets, int wordsMax, @Nullable HeldEcho held) {
        this.id = (byte) id;
        this.edge = firstPsn;
        this.widthLog2 = (byte) Integer.numberOfTrailingZeros(windowPackets);
        this.wordsMax = (byte) wordsMax;
        this.held = held;
    }

    /** The same, read through as many queues as {@code passes} go over. */
    public static InboundPath of(int id, int firstPsn, int windowPackets, int wordsMax, ReceivePasses passes) {
        return new InboundPath(
                id, firstPsn, windowPackets, wordsMax, passes.areSeveral() ? new HeldEcho(passes) : null);
    }

    /** Path number. */
    public int id() {
        return id & 0xFF;
    }

    /**
     * Judges an arriving slot. A slot beyond the window changes nothing but a flag; everything else is echoed and
     * counted.
     */
    public Arrival onSlot(int psn) {
        int beyondHighest = Serial32.distance(RxWindow.edge(this), psn) - RxWindow.highestAhead(this);
        Arrival arrival = RxWindow.onPacket(this, psn);
        openedHole = arrival == Arrival.OUT_OF_ORDER && beyondHighest > 1;
        untold = TELL_TIMES;
        switch (arrival) {
            case ABOVE_WINDOW -> flag(PathBlock.OUT_OF_WINDOW);
            case DUPLICATE, BELOW_WINDOW -> duplicates++;
            case OUT_OF_ORDER -> flag(openedHole ? PathBlock.GAP : 0);
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
        boolean urgent = Echo.onStamp(nowNs, this, txStamp, pathEpoch);
        if (marked) {
            cePackets++;
            flag(PathBlock.MARKED);
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
        return RxWindow.hasHole(this);
    }

    /** Whether the next report should carry a block about this path. */
    public boolean hasNews() {
        // R-ACK-013: a path of which no stamp may be told yet waits for its first.
        return untold > 0 && Echo.settle(this);
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
        describe(nowNs, 0, flags & 0xFF, out);
        flags = 0;
        packetsSinceReport = 0;
        bytesSinceReport = 0;
        if (views() == 0 && Echo.isSettled(this)) {
            // R-ACK-008: news is told in at least two reports.
            untold--;
        }
    }

    /** Writes the second block of a path that has two, in the same report. */
    public void describeView(long nowNs, PathBlock out) {
        int views = views();
        // R-SACK-005: beyond the coverage of the first block another part is shown in each report, in turn.
        int view = 1 + (lastView & 0xFF) % views;
        lastView = (byte) view;
        describe(nowNs, view * wordsMax, 0, out);
        // R-ACK-008: told is what every part was shown of.
        if (view == views && Echo.isSettled(this)) {
            untold--;
        }
    }

    private void flag(int more) {
        flags = (byte) (flags | more);
    }

    /** How many views it takes to show what has come beyond the first block. */
    private int views() {
        return Math.max(RxWindow.highestAhead(this), 0) / (wordsMax * WORD_BITS);
    }

    private int wordsNeeded() {
        return (RxWindow.highestAhead(this) + WORD_BITS) / WORD_BITS;
    }

    private void describe(long nowNs, int firstWord, int flags, PathBlock out) {
        int words = Math.min(wordsNeeded() - firstWord, wordsMax);
        while (words > 0 && RxWindow.word(this, firstWord + words - 1) == 0) {
            words--;
        }
        long delay = (nowNs - Echo.atNs(this)) / ACK_DELAY_UNIT_NS;
        // R-SACK-001: the block says what was accepted, from the first PSN still owed on.
        out.pathId(id())
                .epoch(Echo.epoch(this))
                .flags(flags)
                .words(words)
                .cumPsn(RxWindow.edge(this))
                .echoStamp(Echo.stamp(this))
                // R-ACK-012: a delay that does not fit means that no sample is to be taken.
                .ackDelay((int) Math.min(delay, PathBlock.NO_RTT_SAMPLE))
                .sackOffset(firstWord * WORD_BITS)
                .rxPackets(rxPackets)
                .cePackets(cePackets)
                .duplicates(duplicates);
        for (int w = 0; w < words; w++) {
            // R-SACK-004: bit i stands for CumPSN + SackOff + i, least significant bit of word 0 first.
            out.bitmapWord(w, RxWindow.word(this, firstWord + w));
        }
    }

    /** The first PSN still owed. */
    public int cumPsn() {
        return edge;
    }

    /** The epoch that came with the highest stamp. */
    public int epoch() {
        return Echo.epoch(this);
    }

    /** Words of bitmap that hold all that has come beyond {@link #cumPsn}. */
    public int bitmapWords() {
        return wordsNeeded();
    }

    /** Word {@code index} of the bitmap; bit i of the whole stands for {@code cumPsn + i}. */
    public long bitmapWord(int index) {
        return RxWindow.word(this, index);
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
