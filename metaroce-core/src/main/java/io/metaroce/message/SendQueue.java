package io.metaroce.message;

import io.metaroce.queue.CompletionSink;
import io.metaroce.queue.Rung;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import org.jspecify.annotations.Nullable;

/** The send ring of a stream and its way out: no work request is taken without the room for its completion. */
final class SendQueue {
    private final SendRing ring;
    private final CompletionSink sink;
    private final int attachment;
    private Rung waiter = nowNs -> {};
    private boolean isClosed;

    SendQueue(SendRing ring) {
        this.ring = ring;
        sink = ring.sink();
        attachment = ring.attachment();
    }

    /** Sets who is told of posts, and of room for completions when that was missing. */
    void owner(Rung owner) {
        waiter = owner;
        // The sink sets this queue's own room apart when it is first asked: before others can have taken it.
        if (sink.reserve(attachment)) {
            sink.unreserve(attachment);
        }
        ring.owner(owner);
    }

    /**
     * The next work request with the room for its completion, or null; if only the room is missing, the owner is told.
     */
    @Nullable
    SendCell take() {
        if (!ring.hasPosted()) {
            return null;
        }
        if (!sink.reserve(attachment)) {
            sink.awaitRoom(attachment, waiter);
            return null;
        }
        SendCell cell = ring.take();
        if (cell == null) {
            sink.unreserve(attachment);
        }
        return cell;
    }

    /** Whether work requests are posted that have not been taken. */
    boolean hasPosted() {
        return ring.hasPosted();
    }

    /** Has the owner look at what is posted. */
    void serve(long nowNs) {
        waiter.onRung(nowNs);
    }

    /** Whether what is posted from now on is flushed. */
    boolean isClosed() {
        return isClosed;
    }

    /** What is posted from now on is flushed. */
    void close() {
        isClosed = true;
    }

    /** The work request is done: its cell goes back, its memory belongs to the application again. */
    void complete(SendCell cell, WcStatus status) {
        boolean succeeded = status == WcStatus.SUCCESS;
        boolean told = !succeeded || ring.isSignalled(cell);
        long wrId = cell.wrId();
        WcOpcode opcode = cell.opcode().completion();
        int length = succeeded ? (int) cell.lengthBytes() : 0;
        // The place is free before the completion can be seen: whoever polls it may post again at once.
        ring.release(cell);
        if (told) {
            sink.completed(attachment, ring.qpNumber(), wrId, status, opcode, length, 0, 0);
        } else {
            sink.unreserve(attachment);
        }
    }
}
