package io.metaroce.message;

import io.metaroce.param.StreamError;
import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.WcStatus;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;

/**
 * Ends streams: everything outstanding is completed in the order of posting, the first request with the cause, the rest
 * flushed. From then on nothing of the stream is read, written or executed; its slots are only filled.
 */
final class Flusher {
    private final StreamTimers timers;
    private final Counters counters;

    Flusher(StreamTimers timers, Counters counters) {
        this.timers = timers;
        this.counters = counters;
    }

    /**
     * Fails a stream on this side; does nothing if it has failed before.
     *
     * @param first what the oldest outstanding send work request completes with
     * @param told what the peer is told, and what events say
     */
    void fail(long nowNs, Stream stream, WcStatus first, StreamError told) {
        if (end(nowNs, stream, first, told)) {
            // R-ERR-002: only this stream ends; its slots are filled like any others.
            timers.tellFailure(nowNs, stream);
            counters.increment(Counter.STREAM_ERRORS);
            stream.all.events.streamFailed(nowNs, stream.all.terms.connectionId(), stream.id, told.code());
        }
    }

    /** The application gives a stream up; does nothing if it has ended before. */
    void giveUp(long nowNs, Stream stream) {
        if (end(nowNs, stream, WcStatus.WR_FLUSH_ERR, StreamError.ABORT)) {
            timers.tellFailure(nowNs, stream);
        }
    }

    /** Ends a stream without telling anybody; returns false if it has ended before. */
    boolean end(long nowNs, Stream stream, WcStatus first, StreamError told) {
        if (stream.isFailed()) {
            return false;
        }
        stream.report.fail(told);
        stream.timer.cancel();
        flushSends(stream, first);
        Streams all = stream.all;
        all.demand.end(nowNs, stream);
        if (all.answers != null) {
            all.answers.end(stream);
        }
        if (all.stash != null) {
            all.stash.end(stream);
        }
        flushPostedSends(stream);
        endReceives(stream);
        return true;
    }

    /** Flushes all receives: nothing will ever come for them. */
    void endReceives(Stream stream) {
        if (stream.receives.end()) {
            flushReceives(stream);
            flushPostedReceives(stream);
        }
    }

    /** Completes what is posted and not taken, as far as there is room for completions. */
    void flushPostedSends(Stream stream) {
        for (SendCell cell = stream.sendQueue.take(); cell != null; cell = stream.sendQueue.take()) {
            stream.sendQueue.complete(cell, WcStatus.WR_FLUSH_ERR);
        }
    }

    /** New work requests are no longer accepted: flushes those posted, once what was accepted before is complete. */
    void flushPostedSendsIfIdle(Stream stream) {
        // R-CONN-006: flushed requests come after the completed ones.
        if (stream.sends.outstanding() == 0) {
            flushPostedSends(stream);
        }
    }

    /** The same as {@link #flushPostedSends} for receives. */
    void flushPostedReceives(Stream stream) {
        for (ReceiveCell cell = stream.receiveQueue.take(); cell != null; cell = stream.receiveQueue.take()) {
            stream.receiveQueue.fail(cell, WcStatus.WR_FLUSH_ERR);
        }
    }

    private void flushSends(Stream stream, WcStatus first) {
        SendWindow sends = stream.sends;
        // R-ORD-003: streams that waited for the room of this one go on.
        if (stream.all.budget.closed(sends.open())) {
            stream.all.wakeAll();
        }
        WcStatus status = first;
        // R-ERR-001: the first request carries the cause, later ones are flushed.
        while (sends.outstanding() > 0) {
            stream.all.budget.addQueued(-sends.unsentBytes(sends.done()));
            stream.sendQueue.complete(sends.finish(), status);
            status = WcStatus.WR_FLUSH_ERR;
        }
        stream.cursor.reset();
    }

    private void flushReceives(Stream stream) {
        OpenMessages messages = stream.messages;
        ReceiveMatcher receives = stream.receives;
        if (messages.fault.isAt(messages.next()) && receives.isNextBoundTo(messages.next())) {
            stream.receiveQueue.fail(receives.finish(), messages.fault.status());
        }
        // Shared receives that no message has come for stay with the other streams.
        for (ReceiveCell cell = receives.drop(); cell != null; cell = receives.drop()) {
            stream.receiveQueue.fail(cell, WcStatus.WR_FLUSH_ERR);
        }
    }
}
