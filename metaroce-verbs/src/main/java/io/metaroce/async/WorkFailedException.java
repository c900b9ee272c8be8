package io.metaroce.async;

import io.metaroce.queue.WcStatus;
import java.io.IOException;

/** A work request that did not succeed, with its status in the words of verbs. */
public final class WorkFailedException extends IOException {
    private static final long serialVersionUID = 1;

    /** How it ended. */
    private final WcStatus status;

    WorkFailedException(WcStatus status, String detail) {
        super(status + " (" + status.value() + "): " + detail);
        this.status = status;
    }

    /** How it ended. */
    public WcStatus status() {
        return status;
    }
}
