package io.metaroce.udp;

import io.metaroce.datagram.Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns the engine's addresses into those of the sockets of one plane, remembering the recent ones. Engine addresses
 * carry no scope: link-local ones get the scope of the plane.
 *
 * <p>Thread rule: the endpoint's event loop.
 */
final class SocketAddresses {
    // Two per connection and plane at the most; beyond it the memory starts afresh.
    private static final int REMEMBERED_MAX = 16_384;

    private final Map<Address, InetSocketAddress> remembered = new HashMap<>();
    private final int scopeId;
    private @Nullable Address last; // and what it stands for: mostly the next packet goes to the same peer
    private @Nullable InetSocketAddress lastKnown;

    SocketAddresses(InetAddress local) {
        this.scopeId = local instanceof Inet6Address v6 ? v6.getScopeId() : 0;
    }

    /** What {@code address} stands for. Routes keep their addresses, so the same object comes again and again. */
    @SuppressWarnings("ReferenceEquality")
    InetSocketAddress of(Address address) {
        InetSocketAddress found = lastKnown;
        if (address != last || found == null) {
            found = remembered(address);
            last = address;
            lastKnown = found;
        }
        return found;
    }

    private InetSocketAddress remembered(Address address) {
        InetSocketAddress known = remembered.get(address);
        if (known == null) {
            if (remembered.size() >= REMEMBERED_MAX) {
                remembered.clear();
            }
            known = toSocketAddress(address, scopeId);
            remembered.put(address, known);
        }
        return known;
    }

    /** The socket address of {@code address}; {@code scopeId} is used for link-local addresses only. */
    static InetSocketAddress toSocketAddress(Address address, int scopeId) {
        return new InetSocketAddress(toInetAddress(address, scopeId), address.port());
    }

    private static InetAddress toInetAddress(Address address, int scopeId) {
        try {
            if (address.family() == Address.IPV4) {
                byte[] bytes =
                        ByteBuffer.allocate(4).putInt((int) address.low()).array();
                return InetAddress.getByAddress(bytes);
            }
            byte[] bytes = ByteBuffer.allocate(16)
                    .putLong(address.high())
                    .putLong(address.low())
                    .array();
            boolean isLinkLocal = (address.high() >>> 54) == 0x3FA;
            return isLinkLocal && scopeId != 0
                    ? Inet6Address.getByAddress(null, bytes, scopeId)
                    : InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of 4 or 16 bytes is always valid", e);
        }
    }

    /** The engine's form of a socket address with a port other than 0. */
    static Address toAddress(InetSocketAddress socket) {
        byte[] bytes = socket.getAddress().getAddress();
        ByteBuffer view = ByteBuffer.wrap(bytes);
        return bytes.length == 4
                ? Address.ipv4(view.getInt(0), socket.getPort())
                : Address.ipv6(view.getLong(0), view.getLong(8), socket.getPort());
    }

    /** How people write {@code address} with {@code port}. */
    static String text(InetAddress address, int port) {
        String host = address.getHostAddress();
        return address instanceof Inet6Address ? "[" + host + "]:" + port : host + ":" + port;
    }
}
