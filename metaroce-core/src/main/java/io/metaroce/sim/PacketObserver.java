package io.metaroce.sim;

/** Looks at packets without touching them. Everything it is told is true at the instant it is told. */
public interface PacketObserver {
    /** A host handed a packet to its NIC. */
    default void sent(long timePs, int node, int packet) {}

    /** A host was given a packet that has arrived, and is about to act on it. */
    default void delivered(long timePs, int node, int packet) {}

    /** The fabric lost a packet; {@code where} names the link or host. */
    default void dropped(long timePs, String where, int packet, DropCause cause) {}

    /** An event has been worked off completely. */
    default void afterEvent(long timePs) {}
}
