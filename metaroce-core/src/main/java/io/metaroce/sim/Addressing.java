package io.metaroce.sim;

import io.metaroce.datagram.Address;

/** The addresses of the simulated fabric: node n has 10.plane.x.y with x.y = n + 1. */
public final class Addressing {
    /** UDP port everybody receives at: the default port of the protocol. */
    public static final int SERVICE_PORT = 49741;
    /** UDP port of entropy 0; entropy k is sent from {@code FIRST_SOURCE_PORT + k}. */
    public static final int FIRST_SOURCE_PORT = 49152;

    private static final int NODES_MAX = 0xFFFE;

    private Addressing() {}

    /** The address of a node on a plane, with the service port. */
    public static Address of(int plane, int node) {
        return of(plane, node, SERVICE_PORT);
    }

    static Address of(int plane, int node, int port) {
        if (node < 0 || node > NODES_MAX || plane < 0 || plane > 15) {
            throw new IllegalArgumentException("node " + node + ", plane " + plane + ": outside 0..65534 and 0..15");
        }
        return Address.ipv4((10 << 24) | (plane << 16) | (node + 1), port);
    }

    /** The node that has an address; -1 when it is none of ours. */
    public static int node(Address address) {
        return isOurs(address) ? (int) (address.low() & 0xFFFF) - 1 : -1;
    }

    /** The plane an address belongs to; -1 when it is none of ours. */
    public static int plane(Address address) {
        return isOurs(address) ? (int) (address.low() >>> 16) & 0xFF : -1;
    }

    private static boolean isOurs(Address address) {
        return address.family() == Address.IPV4 && (address.low() >>> 24) == 10;
    }
}
