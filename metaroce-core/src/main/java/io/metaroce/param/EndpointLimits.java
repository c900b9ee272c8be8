package io.metaroce.param;

/**
 * What one endpoint holds at most. Everything is allocated from these numbers when the endpoint is made.
 *
 * @param connections connections at once, 1..1 Mi
 * @param slots packets in flight over all connections, 256..16 Mi; about 100 bytes each
 * @param regions memory regions registered at once, 1..1 Mi
 * @param sourcePorts source ports (entropy values) per plane, 1..1024
 * @param pendingOffers connection requests waiting for the application, 1..65536
 */
public record EndpointLimits(int connections, int slots, int regions, int sourcePorts, int pendingOffers) {
    /** Checks the bounds. */
    public EndpointLimits {
        Check.range("limits.connections", connections, 1, 1 << 20);
        Check.range("limits.slots", slots, 256, 1 << 24);
        Check.range("limits.regions", regions, 1, 1 << 20);
        Check.range("limits.sourcePorts", sourcePorts, 1, 1024);
        Check.range("limits.pendingOffers", pendingOffers, 1, 65536);
    }
}
