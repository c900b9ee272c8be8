package io.metaroce.queue;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A receive queue: the cells of posted receives, and their doorbell. Same use and thread rules as {@link SendRing}.
 *
 * <p>Or a queue pair's way to a {@link SharedReceiveRing}: then nothing is posted here, and {@link #takeShared} finds a
 * receive for a message that has come.
 */
public final class ReceiveRing {
    private final CellRing<ReceiveCell> cells; // none of its own where they are shared
    private final @Nullable Bell bell;
    private final @Nullable SharedReceiveRing shared;
    private final int qpNumber;
    private final CompletionSink sink;
    private final int attachment;

    /**
     * Makes a ring that any number of threads may post to.
     *
     * @param depth receives outstanding at most, 1..2^20
     * @param sgeMax scatter-gather entries per receive, 0..256
     * @param qpNumber number of the queue pair, for completions
     * @param sink where completions go
     * @param attachment what {@link CompletionSink#attach} said
     * @param doorbells doorbells of the endpoint that serves the ring
     * @throws IllegalArgumentException when a number is outside its range; the message names the range
     * @throws IllegalStateException when the endpoint serves as many rings as it can; the message names the limit
     */
    public ReceiveRing(
            int depth, int sgeMax, int qpNumber, CompletionSink sink, int attachment, DoorbellQueue doorbells) {
        this(depth, sgeMax, qpNumber, sink, attachment, doorbells, Posters.MANY);
    }

    /** Makes a ring and says how many threads may post to it at a time. */
    public ReceiveRing(
            int depth,
            int sgeMax,
            int qpNumber,
            CompletionSink sink,
            int attachment,
            DoorbellQueue doorbells,
            Posters posters) {
        Sizes.range("depth", depth, 1, Sizes.DEPTH_MAX);
        Sizes.range("sgeMax", sgeMax, 0, Sizes.SGE_MAX);
        this.qpNumber = qpNumber;
        this.sink = sink;
        this.attachment = attachment;
        List<ReceiveCell> made = new ArrayList<>(depth);
        for (int i = 0; i < depth; i++) {
            made.add(new ReceiveCell(this, sgeMax));
        }
        cells = new CellRing<>(made, posters);
        bell = new Bell(doorbells);
        shared = null;
    }

    /** Makes the way of one queue pair to shared receives. */
    public ReceiveRing(SharedReceiveRing shared, int qpNumber, CompletionSink sink, int attachment) {
        this.qpNumber = qpNumber;
        this.sink = sink;
        this.attachment = attachment;
        this.shared = shared;
        cells = new CellRing<>(List.of(), Posters.ONE);
        bell = null;
    }

    /** Whether its receives are shared with other queue pairs. */
    public boolean isShared() {
        return shared != null;
    }

    /** The oldest of the shared receives, or null. Only with a completion reserved. Endpoint thread. */
    public @Nullable ReceiveCell takeShared() {
        return shared == null ? null : shared.take();
    }

    /** Whether {@link #takeShared} would find a receive. Endpoint thread. */
    public boolean hasShared() {
        return shared != null && shared.hasPosted();
    }

    /** A cell to fill, or null when the receive queue is full. Whoever acquires a cell posts it. Posting thread. */
    public @Nullable ReceiveCell acquire() {
        return cells.acquire(this);
    }

    /** Posts an acquired cell; it must not be touched afterwards. Posting thread. */
    public void post(ReceiveCell cell) {
        cells.post(this, cell);
    }

    /** Tells the endpoint that something was posted. Any thread. */
    public void ring() {
        if (bell != null) {
            bell.ring();
        }
    }

    /** The oldest posted receive, or null. Only with a completion reserved. Endpoint thread. */
    public @Nullable ReceiveCell take() {
        return cells.take(this);
    }

    /** Whether {@link #take} would find a receive. Endpoint thread. */
    public boolean hasPosted() {
        return cells.hasPosted();
    }

    /** Gives the cell of a finished receive back. Endpoint thread. */
    public void release(ReceiveCell cell) {
        if (shared != null) {
            shared.release(cell);
        } else {
            cells.release(this, cell);
        }
    }

    /** Sets who is told of posts; null: nobody. The new owner looks at the ring at once. Endpoint thread. */
    public void owner(@Nullable Rung owner) {
        if (bell != null) {
            bell.owner(owner);
        }
    }

    /**
     * Gives the place at the endpoint's doorbells back; the ring is of no use afterwards. Idempotent. Endpoint thread.
     */
    public void retire() {
        if (bell != null) {
            bell.retire();
        }
    }

    /** Receives outstanding at most, shared ones if they are. */
    public int depth() {
        return shared == null ? cells.depth() : shared.depth();
    }

    /** Number of the queue pair. */
    public int qpNumber() {
        return qpNumber;
    }

    /** Where completions go. */
    public CompletionSink sink() {
        return sink;
    }

    /** This queue's number at its sink. */
    public int attachment() {
        return attachment;
    }
}
