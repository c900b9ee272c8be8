package io.metaroce.sim;

/** What pauses have done in a fabric so far. */
public final class PfcCounters {
    long pauses;
    long pausedPs;
    long headroomMaxBytes;

    /** Times a link was told to hold back. */
    public long pauses() {
        return pauses;
    }

    /** For how long links held back, all together and without those that still do, in ps. */
    public long pausedPs() {
        return pausedPs;
    }

    /** The most that the headroom of one link ever held, in bytes. */
    public long headroomMaxBytes() {
        return headroomMaxBytes;
    }
}
