package io.metaroce.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Receives that several queue pairs of one endpoint share. Posted by any number of threads, taken on the endpoint's
 * thread, one at a time, by whichever queue pair has a message for it; so nobody has to be told of posts.
 */
public final class SharedReceiveRing {
    private final CellRing<ReceiveCell> cells;
    private final AtomicInteger posted = new AtomicInteger();
    private final Runnable onLow;
    private volatile int lowWater;

    /**
     * Makes a ring.
     *
     * @param depth receives outstanding at most, 1..2^20
     * @param sgeMax scatter-gather entries per receive, 0..256
     * @param onLow told on the endpoint's thread when fewer receives are left than {@link #lowWater}
     * @throws IllegalArgumentException when a number is outside its range; the message names the range
     */
    public SharedReceiveRing(int depth, int sgeMax, Runnable onLow) {
        Sizes.range("depth", depth, 1, Sizes.DEPTH_MAX);
        Sizes.range("sgeMax", sgeMax, 0, Sizes.SGE_MAX);
        this.onLow = onLow;
        List<ReceiveCell> made = new ArrayList<>(depth);
        for (int i = 0; i < depth; i++) {
            made.add(new ReceiveCell(this, sgeMax));
        }
        cells = new CellRing<>(made, Posters.MANY);
    }

    /** A cell to fill, or null when the queue is full. Whoever acquires a cell posts it. Posting thread. */
    public @Nullable ReceiveCell acquire() {
        return cells.acquire(this);
    }

    /** Posts an acquired cell; it must not be touched afterwards. Posting thread. */
    public void post(ReceiveCell cell) {
        posted.incrementAndGet();
        cells.post(this, cell);
    }

    /** Asks to be told, once, when fewer receives than this are left; 0: never. Any thread. */
    public void lowWater(int receives) {
        lowWater = receives;
    }

    /** The number below which somebody is told, or 0. Any thread. */
    public int lowWater() {
        return lowWater;
    }

    /** The oldest posted receive, or null. Only with a completion reserved. Endpoint thread. */
    @Nullable
    ReceiveCell take() {
        ReceiveCell cell = cells.take(this);
        if (cell != null && posted.decrementAndGet() < lowWater) {
            lowWater = 0;
            onLow.run();
        }
        return cell;
    }

    /** Whether {@link #take} would find a receive. Endpoint thread. */
    boolean hasPosted() {
        return cells.hasPosted();
    }

    /** Gives the cell of a finished receive back. Endpoint thread. */
    void release(ReceiveCell cell) {
        cells.release(this, cell);
    }

    /** Receives outstanding at most. */
    public int depth() {
        return cells.depth();
    }
}
