package io.metaroce.message;

import io.metaroce.datagram.Transmit;
import io.metaroce.memory.Access;
import io.metaroce.memory.PayloadWindow;
import io.metaroce.memory.Placement;
import io.metaroce.memory.PlacementFault;
import io.metaroce.queue.SendCell;

/** Finds the bytes of a fragment in the scatter-gather list of its work request. Offsets are unsigned. */
final class Gather {
    private final Placement placement;
    private final PayloadWindow window;

    Gather(Placement placement, PayloadWindow window) {
        this.placement = placement;
        this.window = window;
    }

    /** Whether the bytes may be read: {@link PlacementFault#NONE} if so. Copies nothing. */
    PlacementFault check(int domain, SendCell cell, long offset, long length) {
        if (cell.isInline()) {
            return PlacementFault.NONE;
        }
        long skip = offset;
        long left = length;
        for (int i = 0; left > 0; i++) {
            long here = Math.min(cell.length(i) - skip, left);
            if (here > 0) {
                PlacementFault fault = placement.checkLocal(domain, cell.lkey(i), cell.offset(i) + skip, here, 0);
                if (fault != PlacementFault.NONE) {
                    return fault;
                }
                left -= here;
            }
            skip = Math.max(skip - cell.length(i), 0);
        }
        return PlacementFault.NONE;
    }

    /** Whether the whole list may be written by a response: {@link PlacementFault#NONE} if so. */
    PlacementFault checkWritable(int domain, SendCell cell) {
        for (int i = 0; i < cell.sgeCount(); i++) {
            PlacementFault fault =
                    placement.checkLocal(domain, cell.lkey(i), cell.offset(i), cell.length(i), Access.LOCAL_WRITE);
            if (fault != PlacementFault.NONE) {
                return fault;
            }
        }
        return PlacementFault.NONE;
    }

    /**
     * Finds the bytes of a fragment: whether all of them may be read. In one piece, as nearly always, they are named
     * already; copying pieces waits for {@link #fill}.
     */
    PlacementFault find(int domain, SendCell cell, int offset, int length) {
        window.begin();
        if (cell.isInline()) {
            window.addBytes(cell.inline(), offset, length);
            return PlacementFault.NONE;
        }
        long skip = Integer.toUnsignedLong(offset);
        int entry = 0;
        while (entry < cell.sgeCount() && skip >= cell.length(entry)) {
            skip -= cell.length(entry);
            entry++;
        }
        boolean isInOnePiece = entry < cell.sgeCount() && skip + length <= cell.length(entry);
        return isInOnePiece
                ? window.add(domain, cell.lkey(entry), cell.offset(entry) + skip, length)
                : check(domain, cell, Integer.toUnsignedLong(offset), length);
    }

    /** Names the bytes that {@link #find} has found as the payload of a packet; of several pieces a copy is made. */
    void fill(int domain, SendCell cell, int offset, int length, Transmit out) {
        if (window.length() < length) {
            copyPieces(domain, cell, Integer.toUnsignedLong(offset), length);
        }
        out.payload(window.buffer(), window.offset(), window.length());
    }

    private void copyPieces(int domain, SendCell cell, long offset, int length) {
        long skip = offset;
        int left = length;
        for (int i = 0; left > 0; i++) {
            int here = (int) Math.min(cell.length(i) - skip, left);
            if (here > 0) {
                PlacementFault fault = window.add(domain, cell.lkey(i), cell.offset(i) + skip, here);
                assert fault == PlacementFault.NONE : "the bytes were there a moment ago: " + fault;
                left -= here;
            }
            skip = Math.max(skip - cell.length(i), 0);
        }
    }
}
