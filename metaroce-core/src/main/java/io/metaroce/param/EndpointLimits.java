package io.metaroce.param;

/**
 * What one endpoint holds at most. Everything is allocated from these numbers when the endpoint is made.
 *
 * @param connections connections at once, 1..1 Mi
 * @param slots packets in flight over all connections, 256..16 Mi; about 100 bytes each
 * @param regions memory regions registered at once, 1..1 Mi
 * @param sourcePorts source ports (entropy values) per plane, 1..1024
 * @param pendingOffers connection requests waiting for the application, 1..65536
 * @param transportBytes memory for the state of all of it, 1 MiB..1 TiB
 */
public record EndpointLimits(
        int connections, int slots, int regions, int sourcePorts, int pendingOffers, long transportBytes) {
    /** Memory for the state of an endpoint unless said otherwise. */
    public static final long TRANSPORT_BYTES = 1L << 31;

    /** Checks the bounds. */
    public EndpointLimits {
        Check.range("limits.connections", connections, 1, 1 << 20);
        Check.range("limits.slots", slots, 256, 1 << 24);
        Check.range("limits.regions", regions, 1, 1 << 20);
        Check.range("limits.sourcePorts", sourcePorts, 1, 1024);
        Check.range("limits.pendingOffers", pendingOffers, 1, 65536);
        Check.range("limits.transportBytes", transportBytes, 1 << 20, 1L << 40);
    }

    /** Limits with the usual memory. */
    public EndpointLimits(int connections, int slots, int regions, int sourcePorts, int pendingOffers) {
        this(connections, slots, regions, sourcePorts, pendingOffers, TRANSPORT_BYTES);
    }

    /** The same with another number of source ports. */
    public EndpointLimits withSourcePorts(int ports) {
        return new EndpointLimits(connections, slots, regions, ports, pendingOffers, transportBytes);
    }

    /** The same with other memory. */
    public EndpointLimits withTransportBytes(long bytes) {
        return new EndpointLimits(connections, slots, regions, sourcePorts, pendingOffers, bytes);
    }
}
