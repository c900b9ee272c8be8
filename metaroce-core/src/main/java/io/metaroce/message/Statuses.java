package io.metaroce.message;

import io.metaroce.param.StreamError;
import io.metaroce.queue.WcStatus;

/** What the errors of the wire are called in completions. */
final class Statuses {
    private Statuses() {}

    /** The status of the requester's work request that meets the error. */
    static WcStatus ofRequester(StreamError error) {
        // R-ERR-001: the table of the specification, row by row.
        return switch (error) {
            case RNR -> WcStatus.RNR_RETRY_EXC_ERR;
            case REM_ACCESS -> WcStatus.REM_ACCESS_ERR;
            case INV_REQ, UNSUPPORTED, NOT_OPEN -> WcStatus.REM_INV_REQ_ERR;
            case NONE, OP_ERR -> WcStatus.REM_OP_ERR;
            case ABORT -> WcStatus.REM_ABORT_ERR;
            case BAD_RESP -> WcStatus.BAD_RESP_ERR;
            case WINDOW, PROTO -> WcStatus.FATAL_ERR;
        };
    }
}
