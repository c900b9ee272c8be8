package io.metaroce.queue;

import io.metaroce.num.Deadline;

/**
 * One instant at which the owner wants to be called.
 *
 * <p>Moving it to a later instant, or forgetting it, costs nothing: it goes off at the first one all the same and is
 * set again then. Thread rule: the endpoint's thread.
 */
final class Alarm implements Comparable<Alarm> {
    private final Alarms all;
    private final int number;
    private final Rung owner;
    private long wantedNs = Deadline.NEVER;
    private long atNs = Deadline.NEVER; // as it stands among the others

    Alarm(Alarms all, int number, Rung owner) {
        this.all = all;
        this.number = number;
        this.owner = owner;
    }

    boolean isSet() {
        return wantedNs != Deadline.NEVER;
    }

    /** Calls the owner at {@code nextNs} and at no other time. */
    void set(long nextNs) {
        wantedNs = nextNs;
        if (nextNs < atNs) {
            takeOut();
            standAt(nextNs);
        }
    }

    void forget() {
        wantedNs = Deadline.NEVER;
    }

    /** The owner is gone. */
    void takeOut() {
        if (atNs != Deadline.NEVER) {
            all.remove(this);
            atNs = Deadline.NEVER;
        }
    }

    long atNs() {
        return atNs;
    }

    void goOff(long nowNs) {
        takeOut();
        if (nowNs >= wantedNs) {
            wantedNs = Deadline.NEVER;
            owner.onRung(nowNs);
        } else if (isSet()) {
            standAt(wantedNs);
        }
    }

    private void standAt(long nextNs) {
        atNs = nextNs;
        all.add(this);
    }

    @Override
    public int compareTo(Alarm other) {
        return atNs != other.atNs ? Long.compare(atNs, other.atNs) : Integer.compare(number, other.number);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return number;
    }
}
