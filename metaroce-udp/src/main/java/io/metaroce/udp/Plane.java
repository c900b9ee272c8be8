package io.metaroce.udp;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;
import java.net.InetSocketAddress;
import java.util.function.IntFunction;

/** One local address with its sockets: the service socket and the pool of source ports. Event loop only. */
final class Plane {
    private final OutboundSocket service;
    private final IntFunction<OutboundSocket> sourcePorts;
    private final SocketAddresses remotes;

    Plane(OutboundSocket service, IntFunction<OutboundSocket> sourcePorts, SocketAddresses remotes) {
        this.service = service;
        this.sourcePorts = sourcePorts;
        this.remotes = remotes;
    }

    /** The socket that packets with this entropy leave through. */
    OutboundSocket socket(int entropy) {
        return entropy == Route.SERVICE ? service : sourcePorts.apply(entropy);
    }

    /** Where packets to {@code remote} are sent. */
    InetSocketAddress target(Address remote) {
        return remotes.of(remote);
    }
}
