package io.metaroce.message;

import io.metaroce.param.FirstNumbers;
import io.metaroce.param.StreamError;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendRing;
import org.jspecify.annotations.Nullable;

/**
 * One queue pair's half of a stream: what it has sent and not seen completed, what it has received and not completed.
 */
final class Stream {
    final Streams all; // of its connection, and what they share
    final int id;
    final int domain;
    final SendQueue sendQueue;
    final SendWindow sends;
    final SendCursor cursor = new SendCursor();
    final CreditLedger credits;
    final ReceiveQueue receiveQueue;
    final ReceiveMatcher receives;
    final OpenMessages messages;
    final StreamReport report = new StreamReport();
    final StreamTimer timer = new StreamTimer();

    /** Bursts in a row while others wait. */
    byte weight = 1;
    /** Bit k: it is in a queue of kind k. */
    byte queued;
    /** What stands behind it in the queue of each kind. */
    final @Nullable Stream[] next = new Stream[StreamQueue.Kind.COUNT];

    /** Binds a queue pair; counters begin at {@code first}. */
    Stream(
            Streams all,
            int id,
            int domain,
            SendRing sendRing,
            ReceiveRing receiveRing,
            RnrPolicy rnr,
            int openMax,
            FirstNumbers first) {
        this.all = all;
        this.id = id;
        this.domain = domain;
        sendQueue = new SendQueue(sendRing);
        sends = new SendWindow(sendRing.depth(), first.msn());
        credits = new CreditLedger(rnr, first.rsn());
        receiveQueue = new ReceiveQueue(receiveRing);
        receives = new ReceiveMatcher(receiveRing.depth(), first.rsn(), receiveRing.isShared());
        messages = new OpenMessages(openMax, first.msn());
    }

    /** Whether it has failed or was given up: nothing is sent, placed or executed any more. */
    boolean isFailed() {
        return report.error() != StreamError.NONE;
    }
}
