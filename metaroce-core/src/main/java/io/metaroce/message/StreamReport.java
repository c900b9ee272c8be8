package io.metaroce.message;

import io.metaroce.num.Bits;
import io.metaroce.param.StreamError;
import io.metaroce.wire.StreamUpdate;

/** What the next update of a stream says besides its counters, and how often that has still to be told. */
final class StreamReport {
    /** In how many reports news is told. */
    static final int TIMES = 2;

    private StreamError error = StreamError.NONE;
    private @Bits(2) int untold;

    /** The stream has failed; the first failure stays. */
    void fail(StreamError why) {
        if (error == StreamError.NONE) {
            error = why;
        }
    }

    /** Why the stream failed, or {@link StreamError#NONE}. */
    StreamError error() {
        return error;
    }

    /** There is news. */
    void renew() {
        untold = TIMES;
    }

    /** The news has been told once more; returns whether it has to be told again. */
    boolean told() {
        untold = Math.max(untold - 1, 0);
        return untold > 0;
    }

    /** Writes the present state of the stream. */
    void write(Stream stream, StreamUpdate out) {
        // R-ERR-003: a refusal or failure stands in every update until it is resolved.
        OpenMessages messages = stream.messages;
        int flags = StreamUpdate.OPEN | StreamUpdate.LIMIT_VALID;
        int code = 0;
        if (error != StreamError.NONE) {
            flags |= StreamUpdate.FAILED | StreamUpdate.QUIET;
            code = error.code();
        } else if (messages.phase[messages.atNext()] == OpenMessages.REFUSED) {
            flags |= StreamUpdate.REFUSED;
            code = messages.attempt[messages.atNext()];
            // R-SEND-013: a limit would say that the message may come at once.
            flags &= stream.receives.isShared() ? ~StreamUpdate.LIMIT_VALID : ~0;
        }
        int limit = stream.receives.limit();
        stream.credits.told(limit);
        out.streamId(stream.id).flags(flags).code(code).nextMsn(messages.next()).rsnLimit(limit);
    }
}
