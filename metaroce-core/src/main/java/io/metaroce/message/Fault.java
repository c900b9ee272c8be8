package io.metaroce.message;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;
import io.metaroce.param.StreamError;
import io.metaroce.queue.WcStatus;

/**
 * The message a stream cannot pass, and why. Of several the earliest counts, so that what the application sees does not
 * depend on the order in which faults were met; messages before it run to their end first.
 */
final class Fault {
    private @Bits(32) int msn;
    private StreamError error = StreamError.NONE; // while there is no fault
    private WcStatus status = WcStatus.SUCCESS;

    /**
     * Notes a fault.
     *
     * @param error what the peer is told, not NONE
     * @param status what the work request of this side that owns the message completes with
     */
    void note(int msn, StreamError error, WcStatus status) {
        if (!isSet() || Serial32.isBefore(msn, this.msn)) {
            this.msn = msn;
            this.error = error;
            this.status = status;
        }
    }

    /** Whether the message is the faulty one. */
    boolean isAt(int msn) {
        return isSet() && this.msn == msn;
    }

    /** Whether the message is the faulty one or comes after it. */
    boolean covers(int msn) {
        return isSet() && !Serial32.isBefore(msn, this.msn);
    }

    private boolean isSet() {
        return error != StreamError.NONE;
    }

    StreamError error() {
        return error;
    }

    WcStatus status() {
        return status;
    }
}
