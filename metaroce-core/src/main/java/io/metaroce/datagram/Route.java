package io.metaroce.datagram;

/**
 * A way to a peer: which of our planes, which of our source ports, which of its addresses. Made when a path is set up
 * or moved, never per packet; senders may compare routes by identity.
 *
 * @param plane local plane, 0..15
 * @param entropy index into the source-port pool of that plane, or {@link #SERVICE} for the service socket
 * @param remote the peer's advertised address and port on that plane
 */
public record Route(int plane, int entropy, Address remote) {
    /** The entropy value of the service socket, which sends handshake packets and reports. */
    public static final int SERVICE = -1;
}
