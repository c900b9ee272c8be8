package io.metaroce.connection;

import io.metaroce.num.Deadline;

/** The instants that belong to the end of a connection, and which side wanted it. */
final class Ending {
    private long quiesceAtNs = Deadline.NEVER;
    private long forgetAtNs = Deadline.NEVER;
    private boolean ours;

    void on(ConnectionEvent event) {
        ours |= event == ConnectionEvent.CLOSE_WANTED;
    }

    void startQuiescing(long untilNs) {
        quiesceAtNs = Math.min(quiesceAtNs, untilNs);
    }

    void startTombstone(long untilNs) {
        quiesceAtNs = Deadline.NEVER;
        forgetAtNs = untilNs;
    }

    /** Whether this side's application asked for the close. */
    boolean isOurs() {
        return ours;
    }

    boolean isQuiesceDue(long nowNs) {
        return nowNs >= quiesceAtNs;
    }

    boolean isForgetDue(long nowNs) {
        return nowNs >= forgetAtNs;
    }

    long deadlineNs() {
        return Math.min(quiesceAtNs, forgetAtNs);
    }
}
