package io.metaroce.connection;

import io.metaroce.wire.PacketView;

/**
 * Where accepted data packets go. Called once per slot, in arrival order; the slot is consumed whatever the sink thinks
 * of it.
 */
public interface PacketSink {
    /** How soon the packet just accepted wants to be acknowledged. */
    enum Urgency {
        /** By the ordinary policy. */
        ORDINARY,
        /** At once: a message is complete and its sender has nothing more queued, or something was refused. */
        AT_ONCE
    }

    /** Runs a checked packet to its end: place, count, complete or refuse. */
    Urgency accept(long nowNs, PacketView packet);
}
