package io.metaroce.message;

import io.metaroce.memory.Access;
import io.metaroce.memory.Placement;
import io.metaroce.memory.PlacementFault;
import io.metaroce.queue.SgeList;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Places the bytes of a Send, or of a response, into the buffers of a work request, wherever in them they belong. */
final class Scatter {
    private final Placement placement;

    Scatter(Placement placement) {
        this.placement = placement;
    }

    /**
     * Places {@code length} bytes of a message that belong at {@code offset} of it; they fit into the buffers.
     *
     * @return the first fault; then nothing was placed
     */
    PlacementFault place(int domain, SgeList cell, long offset, ByteBuffer from, int fromOffset, int length) {
        // R-MEM-002: all checks of all pieces come before the first byte.
        PlacementFault fault = run(domain, cell, offset, null, fromOffset, length);
        return fault == PlacementFault.NONE ? run(domain, cell, offset, from, fromOffset, length) : fault;
    }

    private PlacementFault run(
            int domain, SgeList cell, long offset, @Nullable ByteBuffer from, int fromOffset, int length) {
        long skip = offset;
        int done = 0;
        for (int i = 0; done < length; i++) {
            int here = (int) Math.min(cell.length(i) - skip, length - done);
            if (here > 0) {
                long to = cell.offset(i) + skip;
                PlacementFault fault = from == null
                        ? placement.checkLocal(domain, cell.lkey(i), to, here, Access.LOCAL_WRITE)
                        : placement.placeLocal(domain, cell.lkey(i), to, from, fromOffset + done, here);
                if (fault != PlacementFault.NONE) {
                    return fault;
                }
                done += here;
            }
            skip = Math.max(skip - cell.length(i), 0);
        }
        return PlacementFault.NONE;
    }
}
