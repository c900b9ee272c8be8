package io.metaroce.sim;

/** What stands at the end of a link: a switch, or the NIC of a host. */
interface LinkTarget {
    /** A packet has arrived; it belongs to the target now, which sends it on or gives it back to the pool. */
    void onArrival(long timePs, Link over, int packet);

    /** Its number among the nodes of the world. */
    int turn();
}
