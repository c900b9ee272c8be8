package io.metaroce.message;

import io.metaroce.connection.UpdateSink;
import io.metaroce.num.Deadline;
import io.metaroce.num.Minifloat;
import io.metaroce.num.Serial32;
import io.metaroce.param.StreamError;
import io.metaroce.queue.WcStatus;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.wire.NakHeader;
import io.metaroce.wire.StreamUpdate;

/**
 * Turns the peer's word into completions, in MSN order. What is said once counts whatever report brings it; a refusal
 * counts only from the newest, because it can be taken back.
 */
final class Completer {
    private final StreamTimers timers;
    private final SendFinisher finisher;
    private final Flusher flusher;
    private final Counters counters;

    Completer(StreamTimers timers, SendFinisher finisher, Flusher flusher, Counters counters) {
        this.timers = timers;
        this.finisher = finisher;
        this.flusher = flusher;
        this.counters = counters;
    }

    /** Applies the news of a stream; see {@link UpdateSink}. */
    void onUpdate(long nowNs, Streams streams, StreamUpdate update, UpdateSink.Freshness freshness) {
        int flags = update.flags();
        Stream stream = streams.find(update.streamId());
        if (stream == null) {
            announce(streams, update);
            return;
        }
        if (stream.isFailed()) {
            if ((flags & StreamUpdate.FAILED) != 0) {
                stream.timer.retellAtNs = Deadline.NEVER; // the peer knows
                forgetResponses(stream);
            }
            return;
        }
        boolean moved = (flags & StreamUpdate.OPEN) != 0 && stream.credits.announce();
        moved |= (flags & StreamUpdate.LIMIT_VALID) != 0 && stream.credits.raise(update.rsnLimit());
        int settledBefore = stream.sends.settled();
        if (!advance(nowNs, stream, update.nextMsn())) {
            return;
        }
        moved |= stream.sends.settled() != settledBefore;
        if ((flags & StreamUpdate.FAILED) != 0) {
            failed(nowNs, stream, StreamError.of(update.code()));
            return;
        }
        if ((flags & StreamUpdate.QUIET) != 0) {
            // The peer's requester has stopped and will never use our receives.
            flusher.endReceives(stream);
        }
        // R-ORD-010: a refusal older than the newest report changes nothing.
        if ((flags & StreamUpdate.REFUSED) != 0
                && freshness == UpdateSink.Freshness.NEWEST
                && update.nextMsn() == stream.sends.settled()) {
            boolean ranOut = (flags & StreamUpdate.LIMIT_VALID) == 0;
            refused(
                    nowNs,
                    stream,
                    update.nextMsn(),
                    update.code(),
                    stream.credits.policy().delayNs(),
                    ranOut);
        }
        if (moved) {
            moved(nowNs, stream);
        }
    }

    /** The peer has opened a stream that is not bound here yet. */
    private static void announce(Streams streams, StreamUpdate update) {
        if ((update.flags() & StreamUpdate.OPEN) != 0) {
            streams.announced(update.streamId());
        }
        if ((update.flags() & StreamUpdate.LIMIT_VALID) != 0) {
            streams.raised(update.streamId(), update.rsnLimit());
        }
    }

    /** Applies a refusal; see {@link UpdateSink}. */
    void onNak(long nowNs, Streams streams, NakHeader nak, UpdateSink.Freshness freshness) {
        Stream stream = streams.find(nak.streamId());
        if (stream == null || stream.isFailed()) {
            return;
        }
        StreamError error = StreamError.of(nak.code());
        switch (error) {
            case RNR -> {
                if (stream.credits.raise(nak.rsnLimit())) {
                    moved(nowNs, stream);
                }
                if (freshness == UpdateSink.Freshness.NEWEST) {
                    long delayNs = Minifloat.decodeRetryDelay(nak.retryDelay());
                    int rsn = stream.sends.rsn[stream.sends.at(nak.msn())];
                    boolean ranOut = Serial32.isBefore(rsn, nak.rsnLimit());
                    refused(nowNs, stream, nak.msn(), nak.attempt(), delayNs, ranOut);
                }
            }
            case REM_ACCESS, INV_REQ, OP_ERR, ABORT, NOT_OPEN -> {
                // The fast copy of a failure counts where the slow one would: at the oldest message.
                if (nak.msn() == stream.sends.settled() && stream.sends.isOpen(nak.msn())) {
                    stream.cursor.stop.note(nak.msn(), StreamError.ABORT, Statuses.ofRequester(error));
                    finisher.finish(nowNs, stream);
                }
            }
            case NONE, UNSUPPORTED, BAD_RESP, WINDOW, PROTO -> {
                // The connection's business, or nobody's.
            }
        }
    }

    /**
     * Completes everything before {@code next}.
     *
     * @return false when the stream or the connection has ended over it
     */
    private boolean advance(long nowNs, Stream stream, int next) {
        SendWindow sends = stream.sends;
        int steps = Serial32.distance(sends.settled(), next);
        if (steps <= 0) {
            return true;
        }
        if (steps > sends.open() || isUncut(stream, steps)) {
            // R-ACK-007: the peer acknowledges what was never sent.
            stream.all.port.protocolError(nowNs, StreamError.PROTO);
            return false;
        }
        return finisher.settle(nowNs, stream, next);
    }

    /** The peer's side of the stream has ended. What it has executed before, it answers still, unless it gave up. */
    private void failed(long nowNs, Stream stream, StreamError error) {
        WcStatus status = Statuses.ofRequester(error);
        if (error == StreamError.ABORT) {
            flusher.fail(nowNs, stream, status, StreamError.ABORT);
        } else {
            stream.timer.progress(); // it has said all it will say
            stream.cursor.stop.note(stream.sends.settled(), StreamError.ABORT, status);
            finisher.finish(nowNs, stream);
        }
        if (stream.isFailed()) {
            stream.timer.retellAtNs = Deadline.NEVER;
            forgetResponses(stream);
        }
    }

    /** The peer executes nothing more of the stream: no response is owed, no ordered Write is kept. */
    private void forgetResponses(Stream stream) {
        stream.all.ordered.closeAll(stream);
        boolean fewerAwaited = stream.all.awaited.closeAll(stream);
        if (stream.all.ordered.wakes() || fewerAwaited) {
            stream.all.wakeAll();
        }
    }

    /** Whether one of the oldest {@code steps} messages has not left completely in its first attempt. */
    private static boolean isUncut(Stream stream, int steps) {
        if (!stream.cursor.isCutting()) {
            return false;
        }
        int msn = stream.cursor.msn();
        SendWindow sends = stream.sends;
        return Serial32.distance(sends.settled(), msn) < steps && sends.attempts(sends.at(msn)) == 0;
    }

    /**
     * An attempt was refused.
     *
     * @param ranOut a receive was promised, but those shared with others had run out
     */
    private void refused(long nowNs, Stream stream, int msn, int attempt, long delayNs, boolean ranOut) {
        SendWindow sends = stream.sends;
        int at = sends.at(msn);
        boolean isPresent = sends.isOpen(msn)
                && sends.phase[at] != SendWindow.REFUSED
                && (sends.attempts(at) & 7) == attempt
                && sends.cell(msn).opcode().consumesReceive();
        if (!isPresent) {
            return;
        }
        counters.increment(Counter.RNR_NAKS_RECEIVED);
        stream.all.events.refused(nowNs, stream.all.terms.connectionId(), stream.id, msn);
        // The requester stops sending new fragments of this attempt; lost ones are withdrawn.
        stream.all.budget.addQueued(Integer.toUnsignedLong(sends.sentBytes[at]));
        sends.refuse(at, nowNs + delayNs, ranOut);
        stream.cursor.addRefused(1);
        if (stream.cursor.isCutting(msn)) {
            stream.cursor.end();
        }
        if (stream.credits.policy().isExhausted(sends.attempts(at) + 1)) {
            stream.cursor.stop.note(msn, StreamError.ABORT, WcStatus.RNR_RETRY_EXC_ERR);
            if (msn == sends.done()) {
                flusher.fail(nowNs, stream, WcStatus.RNR_RETRY_EXC_ERR, StreamError.ABORT);
                return;
            }
        }
        moved(nowNs, stream);
    }

    /** The peer's word has changed something: what is missing next is asked for as if nothing had been missing. */
    private void moved(long nowNs, Stream stream) {
        stream.timer.progress();
        timers.watch(nowNs, stream);
        if (stream.sends.outstanding() > 0) {
            stream.all.ready.wake(stream);
        }
    }
}
