package io.metaroce.udp;

import java.util.List;

/**
 * Endpoints that share their addresses, each with an event loop of its own: for as many processors as one loop is not
 * enough. To peers they look like one. An application opens a device on each and listens on each; a connection lives on
 * the loop of the endpoint that asked for it, or, asked for by a peer, on one that follows from the peer's number of
 * it.
 *
 * <p>Packets find their loop by the number of their connection, however they are spread over ports: the kernel sorts
 * them where it can, and whatever a loop reads that is another's it hands over through a bounded queue.
 *
 * <p>Each endpoint has settings and limits as given, but for source ports, of which all together open as many. Thread
 * rule: any thread.
 */
public final class UdpEndpointGroup implements AutoCloseable {
    private static final int LOOPS_MAX = 64;

    private final List<UdpEndpoint> endpoints;

    private UdpEndpointGroup(List<UdpEndpoint> endpoints) {
        this.endpoints = endpoints;
    }

    /**
     * Binds them.
     *
     * @param loops how many, a power of two, 1..64
     * @throws BindFailedException when an address cannot be bound
     * @throws IllegalArgumentException when the number is none of these, or as {@link UdpEndpoint#bind}
     * @throws UnsupportedOperationException when something demanded does not work here
     */
    public static UdpEndpointGroup bind(UdpConfig config, int loops) {
        if (loops < 1 || loops > LOOPS_MAX || Integer.bitCount(loops) != 1) {
            throw new IllegalArgumentException("loops = " + loops + " is no power of two in 1.." + LOOPS_MAX);
        }
        return new UdpEndpointGroup(EndpointBinder.bind(config, loops));
    }

    /** The endpoints, in order; each may be closed alone. */
    public List<UdpEndpoint> endpoints() {
        return endpoints;
    }

    /** Packets that one loop has read for another, so far. */
    public long handedOver() {
        return endpoints.stream().mapToLong(UdpEndpoint::handedOver).sum();
    }

    /** Packets that were lost because the queue to their loop was full, so far. */
    public long lostBetweenLoops() {
        return endpoints.stream().mapToLong(UdpEndpoint::lostBetweenLoops).sum();
    }

    @Override
    public void close() {
        endpoints.forEach(UdpEndpoint::close);
    }
}
