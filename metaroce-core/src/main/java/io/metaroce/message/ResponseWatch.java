package io.metaroce.message;

import io.metaroce.num.Deadline;
import io.metaroce.param.StreamError;
import io.metaroce.queue.WcStatus;

/**
 * Gives up streams that wait for a response of which nothing comes. Only the oldest missing response of a stream is
 * watched, since a peer answers each stream in order.
 */
final class ResponseWatch {
    private final Flusher flusher;
    private final long patienceNs;

    ResponseWatch(Flusher flusher, long patienceNs) {
        this.flusher = flusher;
        this.patienceNs = patienceNs;
    }

    /** Something of the stream has moved, or a byte of a response has come: patience begins anew. */
    void look(long nowNs, Stream stream) {
        // R-READ-006: paced responders are slow, not dead; every byte that comes renews the patience.
        if (stream.isFailed() || !stream.sends.awaitsResponse()) {
            stream.timer.responseAtNs = Deadline.NEVER;
            return;
        }
        stream.timer.responseAtNs = nowNs + patienceNs;
        stream.all.timersNs = Math.min(stream.all.timersNs, nowNs + patienceNs);
    }

    /** Gives the stream up if its patience has ended. */
    void run(long nowNs, Stream stream) {
        if (nowNs >= stream.timer.responseAtNs) {
            stream.timer.responseAtNs = Deadline.NEVER;
            flusher.fail(nowNs, stream, WcStatus.RESP_TIMEOUT_ERR, StreamError.ABORT);
        }
    }
}
