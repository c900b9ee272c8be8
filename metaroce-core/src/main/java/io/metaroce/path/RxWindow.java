package io.metaroce.path;

import io.metaroce.num.BitRing;
import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;
import org.jspecify.annotations.Nullable;

/** The receive side of one path: the next packet owed, and which of those after it have come already. */
public final class RxWindow {
    /** Packets a window spans unless more was agreed: one more than can be missing behind the edge. */
    public static final int WIDTH_PACKETS = 256;

    private static final int WORD_BITS = 64;

    private @Nullable BitRing early; // what has arrived beyond the edge; most paths keep their order and need none
    private final int width;
    private @Bits(32) int edge; // first PSN still owed
    private @Bits(32) int highest; // meaningful while some are early
    private int earlyCount;

    /** A window of {@code widthPackets}, a power of two from 64 on, that owes {@code firstPsn} next. */
    public RxWindow(int firstPsn, int widthPackets) {
        edge = firstPsn;
        width = widthPackets;
    }

    /** Takes note of a PSN and says what it was. */
    public Arrival onPacket(int psn) {
        BitRing ring = early;
        int ahead = Serial32.distance(edge, psn);
        if (ahead == 0) {
            edge++;
            if (ring != null && earlyCount > 0) {
                int run = ring.clearRun(edge);
                edge += run;
                earlyCount -= run;
            }
            return Arrival.IN_ORDER;
        }
        // R-PATH-005: below the window it has been accepted before; it is acknowledged again, never placed again.
        if (ahead < 0) {
            return Arrival.BELOW_WINDOW;
        }
        // R-PATH-004: at or beyond the window it is dropped and flagged; the sender broke its promise.
        if (ahead >= width) {
            return Arrival.ABOVE_WINDOW;
        }
        if (ring == null) {
            ring = new BitRing(width);
            early = ring;
        }
        if (ring.get(psn)) {
            return Arrival.DUPLICATE;
        }
        // R-SACK-003: a bit that is set stays set until the edge passes it.
        ring.set(psn);
        highest = earlyCount == 0 ? psn : Serial32.later(psn, highest);
        earlyCount++;
        return Arrival.OUT_OF_ORDER;
    }

    /** The first PSN still owed. */
    public int edge() {
        return edge;
    }

    /** Packets the window spans. */
    public int width() {
        return width;
    }

    /** Word {@code index} of the bitmap; bit i of the whole stands for {@code edge() + i}. */
    public long word(int index) {
        return early == null ? 0 : early.word(edge + index * WORD_BITS);
    }

    /** Distance from the edge of the highest PSN that has arrived, or -1 when none has. */
    public int highestAhead() {
        return earlyCount == 0 ? -1 : Serial32.distance(edge, highest);
    }

    /** Whether something is missing below a packet that has arrived. */
    public boolean hasHole() {
        return earlyCount > 0;
    }
}
