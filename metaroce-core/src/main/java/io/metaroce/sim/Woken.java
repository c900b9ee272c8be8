package io.metaroce.sim;

/** What has a leaf of the selector for itself and is no link: a host, a port with explicit departures, a pause. */
interface Woken {
    /** The instant of its leaf has come. Called at stale instants too; must be harmless then. */
    void onWake(long nowPs);
}
