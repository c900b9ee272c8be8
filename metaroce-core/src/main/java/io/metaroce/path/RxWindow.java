package io.metaroce.path;

import io.metaroce.num.BitRing;
import io.metaroce.num.Serial32;

/**
 * The receive side of one path: the next packet owed, and which of those after it have come already; a section of
 * {@link InboundPath}.
 */
public final class RxWindow {
    /** Packets a window spans unless more was agreed: one more than can be missing behind the edge. */
    public static final int WIDTH_PACKETS = 256;

    private static final int WORD_BITS = 64;

    private RxWindow() {}

    /** Takes note of a PSN and says what it was. */
    public static Arrival onPacket(InboundPath path, int psn) {
        BitRing ring = path.early;
        int ahead = Serial32.distance(path.edge, psn);
        if (ahead == 0) {
            path.edge++;
            if (ring != null && path.earlyCount > 0) {
                int run = ring.clearRun(path.edge);
                path.edge += run;
                path.earlyCount = (char) (path.earlyCount - run);
            }
            return Arrival.IN_ORDER;
        }
        // R-PATH-005: below the window it has been accepted before; it is acknowledged again, never placed again.
        if (ahead < 0) {
            return Arrival.BELOW_WINDOW;
        }
        // R-PATH-004: at or beyond the window it is dropped and flagged; the sender broke its promise.
        if (ahead >= (1 << path.widthLog2)) {
            return Arrival.ABOVE_WINDOW;
        }
        if (ring == null) {
            ring = new BitRing(1 << path.widthLog2);
            path.early = ring;
        }
        if (ring.get(psn)) {
            return Arrival.DUPLICATE;
        }
        // R-SACK-003: a bit that is set stays set until the edge passes it.
        ring.set(psn);
        path.highest = path.earlyCount == 0 ? psn : Serial32.later(psn, path.highest);
        path.earlyCount++;
        return Arrival.OUT_OF_ORDER;
    }

    /** The first PSN still owed. */
    static int edge(InboundPath path) {
        return path.edge;
    }

    /** Word {@code index} of the bitmap; bit i of the whole stands for {@code edge + i}. */
    static long word(InboundPath path, int index) {
        BitRing ring = path.early;
        return ring == null ? 0 : ring.word(path.edge + index * WORD_BITS);
    }

    /** Distance from the edge of the highest PSN that has arrived, or -1 when none has. */
    static int highestAhead(InboundPath path) {
        return path.earlyCount == 0 ? -1 : Serial32.distance(path.edge, path.highest);
    }

    /** Whether something is missing below a packet that has arrived. */
    static boolean hasHole(InboundPath path) {
        return path.earlyCount > 0;
    }
}
