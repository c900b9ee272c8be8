package io.metaroce.sim.light;

import io.metaroce.num.SplitMix64;
import io.metaroce.sim.Attachment;
import io.metaroce.sim.EcnRamp;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.NicConfig;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import io.metaroce.sim.WorldConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * The load the speed of the fabric is measured with: 64 hosts at 400 Gbit/s under 8 leaves and 8 spines, each sending
 * to another one, 32 source ports, an answer for every four packets.
 */
public final class FabricLoad {
    private static final long RATE = 400_000_000_000L;
    private static final int PACKET_BYTES = 4096 + 48;
    private static final int WINDOW_PACKETS = 112; // a little more than rate times round trip
    private static final LightHost.Load LOAD = new LightHost.Load(PACKET_BYTES, WINDOW_PACKETS, 32, 4);
    private static final long LIMIT_NS = 10_000_000_000L;

    private final World world;
    private final List<LightHost> hosts = new ArrayList<>();

    /** Builds it, every host with so many packets to send. */
    public FabricLoad(long seed, long packets) {
        this(seed, packets, WorldConfig.Order.BY_NODE);
    }

    /** The same in a certain order. */
    public FabricLoad(long seed, long packets, WorldConfig.Order order) {
        world = new World(WorldConfig.ofSeed(seed).withPacketBytes(64).withOrder(order));
        LinkConfig port = LinkConfig.port(RATE, SimTime.US, 1L << 30).withEcn(new EcnRamp(80_000, 320_000, 1_000_000));
        Fabric fabric =
                Topology.leafSpine(world, new Topology.LeafSpine(8, 8, 8, 1, NicConfig.ofGbit(400), port, port));
        for (Attachment place : fabric.attachments()) {
            hosts.add(LightHost.attach(place, LOAD));
        }
        List<LightHost> targets = permuted(world.seeds().stream("load.peers", 0));
        for (int i = 0; i < hosts.size(); i++) {
            hosts.get(i).sends(targets.get(i), packets);
        }
    }

    /** Runs it to its end. */
    public void run() {
        world.run(LIMIT_NS); // nothing happens any more when all is answered
        for (LightHost host : hosts) {
            if (!host.isDone()) {
                throw new IllegalStateException("the load is not done at " + world.nowNs() + " ns");
            }
        }
    }

    /** The world it runs in. */
    public World world() {
        return world;
    }

    /** Data packets that have arrived. */
    public long packets() {
        long sum = 0;
        for (LightHost host : hosts) {
            sum += host.receivedPackets();
        }
        return sum;
    }

    // A cycle through all hosts in random order, so that nobody sends to itself.
    private List<LightHost> permuted(SplitMix64 stream) {
        int[] order = new int[hosts.size()];
        for (int i = 0; i < order.length; i++) {
            int j = stream.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        LightHost[] targets = new LightHost[order.length];
        for (int i = 0; i < order.length; i++) {
            targets[order[i]] = hosts.get(order[(i + 1) % order.length]);
        }
        return List.of(targets);
    }
}
