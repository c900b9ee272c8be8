package io.metaroce.udp;

import java.util.ArrayList;
import java.util.List;

/**
 * What an endpoint is bound to: its event loop, and its service sockets by plane.
 *
 * @param loops the event loop
 * @param sockets opens sockets on it
 * @param services by plane; filled while it is bound
 */
record Lane(EventLoops loops, UdpSockets sockets, List<ServiceSocket> services) implements AutoCloseable {
    /** An event loop as the settings say, without sockets. */
    static Lane open(UdpConfig config) {
        EventLoops loops = EventLoops.open(config);
        return new Lane(loops, new UdpSockets(loops), new ArrayList<>());
    }

    void closeSockets() {
        services.forEach(ServiceSocket::close);
        services.clear();
    }

    @Override
    public void close() {
        closeSockets();
        loops.close();
    }
}
