package io.metaroce.sim;

/** What feeds a link and can be told to hold back data. */
interface Pausable {
    /** Holds data back from now on, or lets it go again. What is being sent is finished. */
    void pause(long nowPs, boolean holds);

    /** The number of its node among those of the world. */
    int turn();
}
