package io.metaroce.verbs;

import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.Rung;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;

/**
 * The two rings of a queue pair while no stream of the engine looks after them: before it is connected and after its
 * connection is gone. What is posted then is handed back with {@code WR_FLUSH_ERR}, as fast as the completion queue has
 * room for it, so every accepted request has exactly one completion.
 *
 * <p>Endpoint thread.
 */
final class WorkQueues {
    private final SendRing sends;
    private final ReceiveRing receives;
    private final QueueSink sendSink;
    private final QueueSink receiveSink;
    private final Rung flushSends = this::flushSends;
    private final Rung flushReceives = this::flushReceives;

    WorkQueues(SendRing sends, ReceiveRing receives, QueueSink sendSink, QueueSink receiveSink) {
        this.sends = sends;
        this.receives = receives;
        this.sendSink = sendSink;
        this.receiveSink = receiveSink;
    }

    /** Flushes what is posted and what will be. */
    void takeOver(long nowNs) {
        sends.owner(flushSends);
        receives.owner(flushReceives);
        flushSends(nowNs);
        flushReceives(nowNs);
    }

    /** Stops flushing: what is posted from now on waits for a stream. */
    void letGo() {
        sends.owner(null);
        receives.owner(null);
    }

    /** Whether no send is posted or under way. */
    boolean sendsAreDone() {
        return sendSink.underWay() == 0 && !sends.hasPosted();
    }

    /** Whether nothing at all is posted or under way. */
    boolean isIdle() {
        return sendsAreDone() && receiveSink.underWay() == 0 && !receives.hasPosted();
    }

    /** Lets go of rings and completion queues for good. What is posted afterwards vanishes. */
    void retire() {
        letGo();
        sends.retire();
        receives.retire();
        sendSink.detach(sends.attachment());
        receiveSink.detach(receives.attachment());
    }

    private void flushSends(long nowNs) {
        while (sends.hasPosted()) {
            if (!sendSink.reserve(sends.attachment())) {
                sendSink.awaitRoom(sends.attachment(), flushSends);
                return;
            }
            SendCell cell = sends.take();
            if (cell == null) {
                sendSink.unreserve(sends.attachment());
                return;
            }
            WcOpcode opcode = cell.opcode().completion();
            sendSink.completed(
                    sends.attachment(), sends.qpNumber(), cell.wrId(), WcStatus.WR_FLUSH_ERR, opcode, 0, 0, 0);
            sends.release(cell);
        }
    }

    private void flushReceives(long nowNs) {
        while (receives.hasPosted()) {
            if (!receiveSink.reserve(receives.attachment())) {
                receiveSink.awaitRoom(receives.attachment(), flushReceives);
                return;
            }
            ReceiveCell cell = receives.take();
            if (cell == null) {
                receiveSink.unreserve(receives.attachment());
                return;
            }
            receiveSink.completed(
                    receives.attachment(),
                    receives.qpNumber(),
                    cell.wrId(),
                    WcStatus.WR_FLUSH_ERR,
                    WcOpcode.RECV,
                    0,
                    0,
                    0);
            receives.release(cell);
        }
    }
}
