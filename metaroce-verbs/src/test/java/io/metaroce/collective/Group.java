package io.metaroce.collective;

import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.Host;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.NicConfig;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import io.metaroce.udp.FaultPlan;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** All ranks of a group in one thread, over sockets or in a simulated network. */
final class Group implements AutoCloseable {
    private static final int DEPTH = 64;
    private static final long TURNS_MAX = 200_000_000L;

    private final List<Device> devices = new ArrayList<>();
    private final List<Communicator> ranks = new ArrayList<>();
    private final Runnable idle;

    private Group(
            List<Device> devices,
            List<String> addresses,
            int depth,
            List<List<Program>> programs,
            Arithmetic arithmetic,
            LongSupplier clockNs,
            Runnable idle) {
        this.devices.addAll(devices);
        this.idle = idle;
        for (int rank = 0; rank < devices.size(); rank++) {
            ranks.add(Communicator.open(
                    devices.get(rank),
                    Communicator.Shape.of(rank, depth, programs),
                    Compute.atOnce(arithmetic),
                    clockNs));
        }
        for (int rank = 0; rank < devices.size(); rank++) {
            for (int peer = 0; peer < rank; peer++) {
                ranks.get(rank).connect(peer, addresses.get(peer));
            }
        }
        until(() -> ranks.stream().filter(rank -> !rank.isConnected()).count() == 0);
    }

    /** Over a star of so many planes whose links lose so much. */
    static Group simulated(World world, int planes, int lossPpm, List<List<Program>> programs, Arithmetic arithmetic) {
        return simulated(world, planes, lossPpm, DEPTH, programs, arithmetic);
    }

    /** The same with queues of another depth. */
    static Group simulated(
            World world, int planes, int lossPpm, int depth, List<List<Program>> programs, Arithmetic arithmetic) {
        int count = programs.get(0).size();
        LinkConfig down = LinkConfig.port(100_000_000_000L, SimTime.US, 1 << 20)
                .withFaults(LinkConfig.Faults.NONE.withLoss(lossPpm, 1));
        Fabric fabric = Topology.star(world, new Topology.Star(count, planes, NicConfig.ofGbit(100), down));
        EndpointConfig config = Profiles.model();
        List<Device> devices = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            devices.add(Device.open(Host.attach(fabric.attachment("h" + i), config)));
            addresses.add("h" + i);
        }
        return new Group(devices, addresses, depth, programs, arithmetic, world::nowNs, () -> {
            boolean unused = world.step();
        });
    }

    /** Over loopback, with loss. */
    static Group overUdp(double loss, List<List<Program>> programs, Arithmetic arithmetic) {
        List<Device> devices = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < programs.get(0).size(); i++) {
            Device device = Device.open(UdpEndpoint.bind(UdpConfig.builder()
                    .bind("127.0.0.1:0")
                    .settings(Profiles.udp())
                    .faults(FaultPlan.NONE.withTarget(FaultPlan.Target.ALL).withLoss(loss))
                    .seed(i)
                    .build()));
            devices.add(device);
            addresses.add(device.address().toString());
        }
        return new Group(devices, addresses, DEPTH, programs, arithmetic, System::nanoTime, Thread::onSpinWait);
    }

    Communicator rank(int rank) {
        return ranks.get(rank);
    }

    /** Every rank begins the program, and all are let run until all are done. */
    void run(List<Program> programs) {
        for (int rank = 0; rank < ranks.size(); rank++) {
            ranks.get(rank).begin(programs.get(rank));
        }
        until(() -> ranks.stream().filter(rank -> !rank.turn()).count() == 0);
    }

    private void until(BooleanSupplier done) {
        for (long turn = 0; !done.getAsBoolean(); turn++) {
            if (turn == TURNS_MAX) {
                throw new IllegalStateException("nothing happens any more: " + ranks);
            }
            idle.run();
        }
    }

    @Override
    public void close() {
        devices.forEach(Device::close);
    }
}
