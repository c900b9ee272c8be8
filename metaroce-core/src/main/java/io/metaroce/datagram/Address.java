package io.metaroce.datagram;

import java.util.Locale;

/**
 * An IP address and a UDP port.
 *
 * @param family 4 or 6
 * @param high the upper 64 bits of an IPv6 address; 0 for IPv4
 * @param low the lower 64 bits of an IPv6 address, or the 32 bits of an IPv4 address
 * @param port UDP port, 1..65535
 */
public record Address(int family, long high, long low, int port) {
    /** Address family number of IPv4. */
    public static final int IPV4 = 4;
    /** Address family number of IPv6. */
    public static final int IPV6 = 6;

    /** Checks family and port. */
    public Address {
        if (family != IPV4 && family != IPV6) {
            throw new IllegalArgumentException("address family " + family + ": only 4 and 6 are known");
        }
        if (port < 1 || port > 0xFFFF) {
            throw new IllegalArgumentException("UDP port " + port + " is outside 1..65535");
        }
    }

    /** An IPv4 address given as its 32 bits. */
    public static Address ipv4(int bits, int port) {
        return new Address(IPV4, 0, bits & 0xFFFF_FFFFL, port);
    }

    /** An IPv6 address given as its two halves. */
    public static Address ipv6(long high, long low, int port) {
        return new Address(IPV6, high, low, port);
    }

    @Override
    public String toString() {
        if (family == IPV4) {
            return String.format(
                    Locale.ROOT,
                    "%d.%d.%d.%d:%d",
                    (low >>> 24) & 0xFF,
                    (low >>> 16) & 0xFF,
                    (low >>> 8) & 0xFF,
                    low & 0xFF,
                    port);
        }
        StringBuilder out = new StringBuilder("[");
        for (int i = 0; i < 8; i++) {
            long half = i < 4 ? high : low;
            out.append(i == 0 ? "" : ":").append(Long.toHexString((half >>> (48 - 16 * (i & 3))) & 0xFFFF));
        }
        return out.append("]:").append(port).toString();
    }
}
