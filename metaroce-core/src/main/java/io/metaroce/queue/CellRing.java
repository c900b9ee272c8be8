package io.metaroce.queue;

import io.metaroce.queue.Cell.Place;
import java.util.ArrayDeque;
import java.util.List;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.jctools.queues.varhandle.SpmcVarHandleArrayQueue;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A fixed set of cells that go round between posting threads and the endpoint's thread.
 *
 * <pre>free --acquire--> acquired --post--> posted --take--> taken --release--> free</pre>
 *
 * <ol>
 *   <li>There are as many cells as places in either queue, so posting and releasing cannot fail. The number of cells is
 *       the bound, not the queues' capacity, which is rounded up.
 *   <li>Plain fields of a cell are handed over by the queues' release and acquire.
 *   <li>Whoever acquires a cell posts it. A cell never posted is lost to the ring.
 *   <li>The endpoint's thread waits for nobody: a poster that is descheduled half way through acquiring blocks the
 *       place behind it, so released cells are set aside and tried again.
 * </ol>
 */
final class CellRing<C extends WorkCell> {
    private final MessagePassingQueue<C> free;
    private final MessagePassingQueue<C> posted;
    private final ArrayDeque<C> setAside; // endpoint thread
    private final int depth;

    CellRing(List<C> cells, Posters posters) {
        this(cells, freeQueue(cells.size(), posters), postedQueue(cells.size(), posters));
    }

    /** For tests that need a queue which refuses. */
    CellRing(List<C> cells, MessagePassingQueue<C> free, MessagePassingQueue<C> posted) {
        this.free = free;
        this.posted = posted;
        depth = cells.size();
        setAside = new ArrayDeque<>(depth + 1);
        for (C cell : cells) {
            boolean fits = free.offer(cell);
            assert fits;
        }
    }

    static <C> MessagePassingQueue<C> freeQueue(int depth, Posters posters) {
        return switch (posters) {
            case MANY -> new SpmcVarHandleArrayQueue<>(Math.max(2, depth));
            case ONE -> new SpscVarHandleArrayQueue<>(Math.max(4, depth));
        };
    }

    private static <C> MessagePassingQueue<C> postedQueue(int depth, Posters posters) {
        return switch (posters) {
            case MANY -> new MpscVarHandleArrayQueue<>(Math.max(2, depth));
            case ONE -> new SpscVarHandleArrayQueue<>(Math.max(4, depth));
        };
    }

    /** A free cell, as new, or null when all are under way. Posting thread. */
    @Nullable
    C acquire(Object ring) {
        C cell = free.poll();
        if (cell != null) {
            boolean moved = cell.move(ring, Place.FREE, Place.ACQUIRED);
            assert moved : "a free cell is " + cell.place();
            cell.clear();
        }
        return cell;
    }

    /** Hands an acquired cell to the endpoint's thread. Posting thread. */
    void post(Object ring, C cell) {
        boolean moved = cell.move(ring, Place.ACQUIRED, Place.POSTED);
        assert moved : "posted twice, or not acquired from this ring: " + cell.place();
        boolean fits = posted.offer(cell);
        assert fits : "more cells than places";
    }

    /** The oldest posted cell that can be seen, or null. Endpoint thread. */
    @Nullable
    C take(Object ring) {
        giveBack();
        C cell = posted.relaxedPoll();
        if (cell != null) {
            boolean moved = cell.move(ring, Place.POSTED, Place.TAKEN);
            assert moved : "a posted cell is " + cell.place();
        }
        return cell;
    }

    /** Whether {@link #take} would find a cell. Endpoint thread. */
    boolean hasPosted() {
        return posted.relaxedPeek() != null;
    }

    /** Gives a taken cell back to the posting threads. Endpoint thread. */
    void release(Object ring, C cell) {
        boolean moved = cell.move(ring, Place.TAKEN, Place.FREE);
        assert moved : "released twice, or not taken from this ring: " + cell.place();
        setAside.addLast(cell);
        giveBack();
    }

    int depth() {
        return depth;
    }

    private void giveBack() {
        while (true) {
            C cell = setAside.peekFirst();
            if (cell == null || !free.relaxedOffer(cell)) {
                return;
            }
            setAside.removeFirst();
        }
    }
}
