package io.metaroce.memory;

/**
 * Hears of every change of registered memory, after its checks and after its bytes are there. For models and recorders;
 * must not call back into the engine. Endpoint thread.
 */
@FunctionalInterface
public interface PlacementTap {
    /** By which right bytes came. */
    enum Right {
        /** A receive, a Read or an atomic of this side: by a local key. */
        LOCAL,
        /** A Write of the peer: by a remote key. */
        REMOTE,
        /** An atomic of the peer. */
        ATOMIC
    }

    /** {@code length} bytes from {@code offset} on, counted from the start of the region, are new. */
    void placed(MemoryRegion region, long offset, int length, Right right);
}
