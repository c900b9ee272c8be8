package io.metaroce.udp;

import io.metaroce.param.Reception;
import io.metaroce.udp.Capabilities.Ability;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Opens the sockets of one endpoint, or of several that share an address, and proves what they can do. */
final class EndpointBinder {
    private final UdpConfig config;
    private final List<Lane> lanes = new ArrayList<>();
    private final List<UdpEndpoint> bound = new ArrayList<>();

    private EndpointBinder(UdpConfig config) {
        this.config = config;
    }

    /** Binds {@code count} endpoints; everything is closed again when that fails. */
    static List<UdpEndpoint> bind(UdpConfig config, int count) {
        EndpointBinder binder = new EndpointBinder(config);
        try {
            return binder.bindAll(count);
        } catch (RuntimeException | Error e) {
            binder.lanes.forEach(Lane::close);
            throw e;
        }
    }

    private List<UdpEndpoint> bindAll(int count) {
        List<InetSocketAddress> locals =
                config.addresses().stream().map(EndpointBinder::local).toList();
        for (int i = 0; i < count; i++) {
            Lane lane = Lane.open(config);
            lanes.add(lane);
            if (lane.loops().loop().inEventLoop()) {
                throw new IllegalStateException("bind waits for the event loop, so it cannot be called on it");
            }
        }
        Lane first = lanes.get(0);
        for (InetSocketAddress local : locals) {
            first.services().add(ServiceSocket.bind(first.sockets(), local, config));
        }
        Capabilities capabilities = prove(first);
        Lanes shared = new Lanes(count);
        for (int shard = 0; shard < count; shard++) {
            bound.add(new UdpEndpoint(config, lanes.get(shard), capabilities, reception(capabilities, shard), shared));
        }
        bound.forEach(UdpEndpoint::start);
        return List.copyOf(bound);
    }

    private Reception reception(Capabilities capabilities, int shard) {
        boolean isSorted = capabilities.congestionMarks().isOn();
        return new Reception(isSorted ? Reception.Queues.SEVERAL : Reception.Queues.ONE, lanes.size(), shard);
    }

    private Capabilities prove(Lane first) {
        SelfTest test = new SelfTest(first.sockets(), first.services().get(0).local());
        Ability segmentation = test.segmentation(config.segmentation());
        Ability coalescing = test.coalescing(config.coalescing(), segmentation);
        SteeringTest steering = new SteeringTest(config, lanes, coalescing);
        String obstacle = steering.obstacleToMarks();
        Ability marks = obstacle.isEmpty() ? steering.open(Steering.Codepoints.SORTED) : Ability.off(obstacle);
        if (config.congestionMarks() == UdpConfig.Offload.ON && !marks.isOn()) {
            throw new UnsupportedOperationException("reading congestion marks does not work here: " + marks.reason()
                    + "; use the option congestionMarks(AUTO)");
        }
        Ability sorting = marks;
        if (lanes.size() == 1) {
            sorting = Ability.off("one event loop");
        } else if (!marks.isOn()) {
            sorting = steering.open(Steering.Codepoints.MIXED);
        }
        for (Lane lane : lanes) {
            for (int plane = lane.services().size(); plane < first.services().size(); plane++) {
                ServiceSocket ofFirst = first.services().get(plane);
                lane.services().add(ServiceSocket.sending(lane.sockets(), ofFirst, config));
            }
            lane.services().forEach(service -> service.prepare(coalescing));
        }
        return new Capabilities(first.loops().description(), segmentation, coalescing, marks, sorting);
    }

    private static InetSocketAddress local(String text) {
        HostPort parts = HostPort.parse(text);
        InetAddress address = parts.addresses()[0];
        if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
            throw new IllegalArgumentException("cannot bind " + text
                    + ": the address is told to peers, so it must be one of this machine that they can reach; it has "
                    + LocalInterfaces.list() + "; give one of them in the option bind");
        }
        return new InetSocketAddress(address, parts.portOr(UdpConfig.DEFAULT_PORT));
    }
}
