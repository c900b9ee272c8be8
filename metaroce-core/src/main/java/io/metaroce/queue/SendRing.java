package io.metaroce.queue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A send queue: the cells of one queue pair's send work requests, and its doorbell.
 *
 * <p>Posting threads: {@link #acquire}, fill, {@link #post}, and {@link #ring} once per list. Endpoint thread:
 * {@link #take}, and {@link #release} when the work is complete or flushed; so cells in use are work outstanding, and
 * the depth is exactly the limit that users know.
 */
public final class SendRing {
    private final CellRing<SendCell> cells;
    private final Bell bell;
    private final int qpNumber;
    private final CompletionSink sink;
    private final int attachment;
    private final Signalling signalling;

    /**
     * Makes a ring that any number of threads may post to.
     *
     * @param depth work requests outstanding at most, 1..2^20
     * @param sgeMax scatter-gather entries per request, 0..256
     * @param inlineBytesMax inline bytes per request, 0..65536
     * @param qpNumber number of the queue pair, for completions
     * @param sink where completions go
     * @param attachment what {@link CompletionSink#attach} said
     * @param signalling which successes give a completion
     * @param doorbells doorbells of the endpoint that serves the ring
     * @throws IllegalArgumentException when a number is outside its range; the message names the range
     * @throws IllegalStateException when the endpoint serves as many rings as it can; the message names the limit
     */
    public SendRing(
            int depth,
            int sgeMax,
            int inlineBytesMax,
            int qpNumber,
            CompletionSink sink,
            int attachment,
            Signalling signalling,
            DoorbellQueue doorbells) {
        this(depth, sgeMax, inlineBytesMax, qpNumber, sink, attachment, signalling, doorbells, Posters.MANY);
    }

    /** Makes a ring and says how many threads may post to it at a time. */
    public SendRing(
            int depth,
            int sgeMax,
            int inlineBytesMax,
            int qpNumber,
            CompletionSink sink,
            int attachment,
            Signalling signalling,
            DoorbellQueue doorbells,
            Posters posters) {
        Sizes.range("depth", depth, 1, Sizes.DEPTH_MAX);
        Sizes.range("sgeMax", sgeMax, 0, Sizes.SGE_MAX);
        Sizes.range("inlineBytesMax", inlineBytesMax, 0, Sizes.INLINE_BYTES_MAX);
        Sizes.range("depth * inlineBytesMax", (long) depth * inlineBytesMax, 0, Integer.MAX_VALUE);
        this.qpNumber = qpNumber;
        this.sink = sink;
        this.attachment = attachment;
        this.signalling = signalling;
        ByteBuffer inline = ByteBuffer.allocateDirect(depth * inlineBytesMax);
        List<SendCell> made = new ArrayList<>(depth);
        for (int i = 0; i < depth; i++) {
            made.add(new SendCell(this, sgeMax, inline.slice(i * inlineBytesMax, inlineBytesMax)));
        }
        cells = new CellRing<>(made, posters);
        bell = new Bell(doorbells);
    }

    /** A cell to fill, or null when the send queue is full. Whoever acquires a cell posts it. Posting thread. */
    public @Nullable SendCell acquire() {
        return cells.acquire(this);
    }

    /** Posts an acquired cell; it must not be touched afterwards. Posting thread. */
    public void post(SendCell cell) {
        cells.post(this, cell);
    }

    /** Tells the endpoint that something was posted. Any thread. */
    public void ring() {
        bell.ring();
    }

    /** The oldest posted request, or null. Only with a completion reserved. Endpoint thread. */
    public @Nullable SendCell take() {
        return cells.take(this);
    }

    /** Whether {@link #take} would find a request. Endpoint thread. */
    public boolean hasPosted() {
        return cells.hasPosted();
    }

    /** Gives the cell of a finished request back. Endpoint thread. */
    public void release(SendCell cell) {
        cells.release(this, cell);
    }

    /** Sets who is told of posts; null: nobody. The new owner looks at the ring at once. Endpoint thread. */
    public void owner(@Nullable Rung owner) {
        bell.owner(owner);
    }

    /**
     * Gives the place at the endpoint's doorbells back; the ring is of no use afterwards. Idempotent. Endpoint thread.
     */
    public void retire() {
        bell.retire();
    }

    /** Work requests outstanding at most. */
    public int depth() {
        return cells.depth();
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

    /** Which successes give a completion. */
    public Signalling signalling() {
        return signalling;
    }

    /** Whether a request that succeeds gives a completion. */
    public boolean isSignalled(SendCell cell) {
        return signalling == Signalling.ALL || (cell.flags() & SendFlags.SIGNALED) != 0;
    }
}
