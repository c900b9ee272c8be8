package io.metaroce.queue;

import io.metaroce.num.Deadline;
import java.util.PriorityQueue;

/**
 * The instants at which queues of one endpoint want to be looked at though nobody rings them. At most one per queue.
 *
 * <p>Thread rule: the endpoint's thread.
 */
public final class Alarms {
    private final PriorityQueue<Alarm> waiting = new PriorityQueue<>();
    private int made;

    Alarms() {}

    /** An alarm that is not set. */
    Alarm make(Rung owner) {
        return new Alarm(this, made++, owner);
    }

    /** The first instant, in ns, or {@link Deadline#NEVER}. */
    public long earliestNs() {
        Alarm first = waiting.peek();
        return first == null ? Deadline.NEVER : first.atNs();
    }

    /** Calls the owners of all alarms that are due; equal instants in the order in which the alarms were made. */
    public void onDeadline(long nowNs) {
        for (Alarm first = waiting.peek(); first != null && nowNs >= first.atNs(); first = waiting.peek()) {
            first.goOff(nowNs);
        }
    }

    void add(Alarm alarm) {
        waiting.add(alarm);
    }

    void remove(Alarm alarm) {
        waiting.remove(alarm);
    }
}
