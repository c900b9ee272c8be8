package io.metaroce.verbs;

/**
 * Where a queue pair is in its life. Names and values as in {@code ibv_qp_state}. The states SQD and SQE do not exist
 * here: closing a connection drains it, and an error of a reliable queue pair always leads to {@link #ERR}.
 */
public enum QpState {
    /** Just created, or taken back from an error. Nothing can be posted. */
    RESET(0),
    /** Receives can be posted; they wait for a connection. */
    INIT(1),
    /** Bound to a stream of a connection that is being made. */
    RTR(2),
    /** Connected: sends and receives can be posted. */
    RTS(3),
    /** Failed, or its connection is gone. What is posted is flushed with {@code WR_FLUSH_ERR}. */
    ERR(6);

    private final int value;

    QpState(int value) {
        this.value = value;
    }

    /** The number of the state in verbs. */
    public int value() {
        return value;
    }
}
