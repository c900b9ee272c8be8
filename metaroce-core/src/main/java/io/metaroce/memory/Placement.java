package io.metaroce.memory;

import java.nio.ByteBuffer;

/**
 * Port: the way into registered memory. Every method makes all its checks before it touches the first byte, and answers
 * the first fault it finds; zero bytes are always fine and need no key.
 */
public interface Placement {
    /** Places bytes of a peer's Write. {@code address} is unsigned. */
    PlacementFault place(int domain, int rkey, long address, ByteBuffer from, int fromOffset, int length);

    /** Places bytes into a scatter-gather entry of a receive, a Read or an atomic of this side. */
    PlacementFault placeLocal(int domain, int lkey, long offset, ByteBuffer from, int fromOffset, int length);

    /** What {@link #place} or a Read would answer: {@code access} is a remote bit of {@link Access}. */
    PlacementFault checkRemote(int domain, int rkey, long address, long length, int access);

    /** The same for a local entry: {@code access} is {@link Access#LOCAL_WRITE}, or 0 to read. */
    PlacementFault checkLocal(int domain, int lkey, long offset, long length, int access);

    /** Whether the peer may run an atomic on the eight bytes at {@code address}. */
    PlacementFault checkAtomic(int domain, int rkey, long address);

    /** The eight bytes at an address that {@link #checkAtomic} has just passed, in this machine's byte order. */
    long load(int rkey, long address);

    /** Sets the eight bytes at an address that {@link #checkAtomic} has just passed, in this machine's byte order. */
    void store(int rkey, long address, long value);

    /** Makes a key invalid because the peer asks for it (Send with invalidate): only one that lets a peer in at all. */
    PlacementFault invalidate(int domain, int rkey);
}
