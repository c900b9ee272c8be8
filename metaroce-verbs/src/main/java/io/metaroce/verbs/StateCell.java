package io.metaroce.verbs;

/** The state of a queue pair, changed by several threads, one change after the other. */
final class StateCell {
    private volatile QpState state = QpState.RESET;

    QpState get() {
        return state;
    }

    /** Goes to {@code to} if it is at {@code from}; says whether it was. */
    synchronized boolean move(QpState from, QpState to) {
        if (state != from) {
            return false;
        }
        state = to;
        return true;
    }

    /** Fails, wherever it is. */
    synchronized void fail() {
        state = QpState.ERR;
    }
}
