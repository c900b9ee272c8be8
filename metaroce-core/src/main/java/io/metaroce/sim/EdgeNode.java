package io.metaroce.sim;

/**
 * Something at the edge of the fabric that sends and receives: a {@link Host} with the real engine, or a model of
 * another transport. It sends through the {@link NicPort}s of its {@link Attachment}.
 */
public interface EdgeNode {
    /** A packet has arrived. The node owns it now and gives it back to the pool, or sends it on. */
    void onArrival(long timePs, int packet);

    /** The instant it asked for has come. Called at stale instants too; must be harmless then. */
    void onWake(long timePs);

    /**
     * When it wants {@link #onWake} next; {@link SimTime#NEVER} when nothing is due. Asked after each of its events.
     */
    long nextWakePs();
}
