package io.metaroce.path;

import io.metaroce.num.Bitmap256;
import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;

/** The receive side of one path: the next packet owed, and which of the 255 after it have come already. */
public final class RxWindow {
    /** Packets the window spans: one more than can be missing behind the edge. */
    public static final int WIDTH_PACKETS = Bitmap256.WIDTH;

    private final Bitmap256 arrived = new Bitmap256(); // bit i: edge + i has arrived
    private @Bits(32) int edge; // first PSN still owed

    /** A window that owes {@code firstPsn} next. */
    public RxWindow(int firstPsn) {
        edge = firstPsn;
    }

    /** Takes note of a PSN and says what it was. */
    public Arrival onPacket(int psn) {
        int ahead = Serial32.distance(edge, psn);
        // R-PATH-005: below the window it has been accepted before; it is acknowledged again, never placed again.
        if (ahead < 0) {
            return Arrival.BELOW_WINDOW;
        }
        // R-PATH-004: at or beyond the window it is dropped and flagged; the sender broke its promise.
        if (ahead >= WIDTH_PACKETS) {
            return Arrival.ABOVE_WINDOW;
        }
        if (arrived.get(ahead)) {
            return Arrival.DUPLICATE;
        }
        // R-SACK-003: a bit that is set stays set until the edge passes it.
        arrived.set(ahead);
        if (ahead > 0) {
            return Arrival.OUT_OF_ORDER;
        }
        int run = arrived.trailingOnes();
        arrived.shiftDown(run);
        edge += run;
        return Arrival.IN_ORDER;
    }

    /** The first PSN still owed. */
    public int edge() {
        return edge;
    }

    /** Word {@code index} (0..3) of the bitmap; bit i of the whole stands for {@code edge() + i}. */
    public long word(int index) {
        return arrived.word(index);
    }

    /** Distance from the edge of the highest PSN that has arrived, or -1 when none has. */
    public int highestAhead() {
        return arrived.highestOne();
    }

    /** Whether something is missing below a packet that has arrived. */
    public boolean hasHole() {
        return arrived.highestOne() >= 0;
    }
}
