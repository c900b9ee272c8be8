package io.metaroce.connection;

import io.metaroce.num.Deadline;

/** The instants that belong to the end of a connection, and which side wanted it. */
final class Ending {
    private final Deadline quiesce = new Deadline();
    private final Deadline forget = new Deadline();
    private boolean ours;

    void on(ConnectionEvent event) {
        ours |= event == ConnectionEvent.CLOSE_WANTED;
    }

    void startQuiescing(long untilNs) {
        quiesce.armEarlier(untilNs);
    }

    void startTombstone(long untilNs) {
        quiesce.cancel();
        forget.arm(untilNs);
    }

    /** Whether this side's application asked for the close. */
    boolean isOurs() {
        return ours;
    }

    boolean isQuiesceDue(long nowNs) {
        return quiesce.isDue(nowNs);
    }

    boolean isForgetDue(long nowNs) {
        return forget.isDue(nowNs);
    }

    long deadlineNs() {
        return Math.min(quiesce.atNs(), forget.atNs());
    }
}
