package io.metaroce.sim.roce;

/**
 * What a host is told about messages. Called while an event of the world is worked off; may send messages, must not run
 * the world.
 */
public interface RoceListener {
    /** Hears nothing. */
    RoceListener NONE = new RoceListener() {};

    /** Every byte of a message has come, and of all messages before it over this channel. */
    default void arrived(long timePs, RoceChannel over, int immediate) {}

    /** A message this host sent has been acknowledged; those of other queue pairs may be earlier or later. */
    default void sent(long timePs, RoceChannel over, int tag) {}
}
