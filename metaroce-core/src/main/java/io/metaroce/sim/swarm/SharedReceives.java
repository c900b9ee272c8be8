package io.metaroce.sim.swarm;

import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.memory.RegionTable;
import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.SharedReceiveRing;
import io.metaroce.sim.App;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The receives that the streams of one side share, and the oracle of their buffers: a buffer that is not posted stays
 * as it is, what lies between them is never touched, and a buffer handed back holds its message.
 */
final class SharedReceives {
    private static final int GUARD = 64;

    private final SharedReceiveRing ring;
    private final ByteBuffer memory;
    private final MemoryRegion region;
    private final int stride;
    private final int bufferBytes;
    private final byte[] shadow;
    private final boolean[] isPosted;
    private final List<Long> due = new ArrayList<>(); // when each receive is posted at the earliest
    private int posted;
    private int ended;

    SharedReceives(RegionTable regions, int depth, int bufferBytes) {
        this.bufferBytes = bufferBytes;
        stride = bufferBytes + GUARD;
        memory = ByteBuffer.allocateDirect(GUARD + depth * stride);
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, (byte) (i * 31 + 7));
        }
        shadow = new byte[memory.capacity()];
        memory.get(0, shadow);
        region = regions.register(App.DOMAIN, memory, App.BASE, Access.ALL);
        ring = new SharedReceiveRing(depth, 1, () -> {});
        isPosted = new boolean[depth];
    }

    SharedReceiveRing ring() {
        return ring;
    }

    /** All its buffers, and what lies between them. */
    ByteBuffer memory() {
        return memory;
    }

    /** One more message will come. */
    void expect(long receiveNs) {
        due.add(receiveNs);
        Collections.sort(due);
    }

    /** Messages that will come, and have come. */
    int expected() {
        return due.size();
    }

    /** The application posts what is due. */
    void posts(long nowNs) {
        for (int i = 0; i < isPosted.length && posted < due.size() && due.get(posted) <= nowNs; i++) {
            if (isPosted[i]) {
                continue;
            }
            ReceiveCell cell = ring.acquire();
            if (cell == null) {
                return;
            }
            isPosted[i] = true;
            posted++;
            cell.wrId(i);
            if (bufferBytes > 0) {
                cell.addSge(region.key(), at(i), bufferBytes);
            }
            ring.post(cell);
        }
    }

    /** A receive is handed back, with these bytes in it; answers with what is wrong, or nothing. */
    String onEnded(long wrId, byte[] content, boolean isSuccess) {
        int i = (int) wrId;
        if (wrId < 0 || wrId >= isPosted.length || !isPosted[i]) {
            return "shared receive " + wrId + " ended, and was not posted";
        }
        ended++;
        isPosted[i] = false;
        boolean isRight = !isSuccess || memory.slice(at(i), content.length).equals(ByteBuffer.wrap(content));
        for (int k = at(i); k < at(i) + bufferBytes; k++) {
            byte other = (byte) (memory.get(k) + 1);
            memory.put(k, other);
            shadow[k] = other;
        }
        return isRight ? "" : "shared receive " + wrId + " does not hold its message of " + content.length + " bytes";
    }

    /** What is wrong with bytes nobody may touch; empty when nothing is. */
    String fault() {
        for (int from = 0; from < shadow.length; ) {
            int i = (from - GUARD) / stride;
            boolean isBuffer = from >= GUARD && (from - GUARD) % stride == 0 && i < isPosted.length;
            int length = isBuffer ? bufferBytes : from == 0 ? GUARD : stride - bufferBytes;
            length = Math.min(length, shadow.length - from);
            boolean mayChange = isBuffer && isPosted[i];
            if (!mayChange && !memory.slice(from, length).equals(ByteBuffer.wrap(shadow, from, length))) {
                return "bytes of shared receives changed at " + from + " of " + shadow.length
                        + (isBuffer ? ", in a buffer that is not posted" : ", between buffers");
            }
            from += Math.max(1, length);
        }
        return "";
    }

    /** Whether every cell that is not posted is free; used at the end only, since it takes them. */
    boolean hasAllCells() {
        int free = 0;
        while (ring.acquire() != null) {
            free++;
        }
        return free == isPosted.length - (posted - ended);
    }

    /** When the next is due; {@link Long#MAX_VALUE} when none is. */
    long nextNs() {
        return posted < due.size() ? due.get(posted) : Long.MAX_VALUE;
    }

    private int at(int i) {
        return GUARD + i * stride;
    }

    @Override
    public String toString() {
        return "shared receives: " + ended + " of " + posted + " of " + due.size() + " ended";
    }
}
