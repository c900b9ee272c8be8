package io.metaroce.message;

import io.metaroce.queue.CompletionSink;
import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.Rung;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import org.jspecify.annotations.Nullable;

/** The receive ring of a stream and its way out: a posted receive counts only with the room for its completion. */
final class ReceiveQueue {
    private final ReceiveRing ring;
    private final CompletionSink sink;
    private final int attachment;
    private Rung waiter = nowNs -> {};

    ReceiveQueue(ReceiveRing ring) {
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

    /** The next receive with the room for its completion, or null; if only the room is missing, the owner is told. */
    @Nullable
    ReceiveCell take() {
        if (!ring.hasPosted()) {
            return null;
        }
        if (!sink.reserve(attachment)) {
            sink.awaitRoom(attachment, waiter);
            return null;
        }
        ReceiveCell cell = ring.take();
        if (cell == null) {
            sink.unreserve(attachment);
        }
        return cell;
    }

    /** A shared receive with the room for its completion, or null if either is missing. */
    @Nullable
    ReceiveCell takeShared() {
        if (!ring.hasShared() || !sink.reserve(attachment)) {
            return null;
        }
        ReceiveCell cell = ring.takeShared();
        if (cell == null) {
            sink.unreserve(attachment);
        }
        return cell;
    }

    /** A message has used the receive up. */
    void complete(ReceiveCell cell, WcOpcode opcode, int length, int immediate, int flags) {
        long wrId = cell.wrId();
        // The place is free before the completion can be seen: whoever polls it may post again at once.
        ring.release(cell);
        sink.completed(attachment, ring.qpNumber(), wrId, WcStatus.SUCCESS, opcode, length, immediate, flags);
    }

    /** The receive ends without a message. */
    void fail(ReceiveCell cell, WcStatus status) {
        long wrId = cell.wrId();
        ring.release(cell);
        sink.completed(attachment, ring.qpNumber(), wrId, status, WcOpcode.RECV, 0, 0, 0);
    }
}
