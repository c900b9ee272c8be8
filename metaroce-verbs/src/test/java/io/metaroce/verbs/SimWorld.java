package io.metaroce.verbs;

import io.metaroce.param.EndpointConfig;
import io.metaroce.sim.Addressing;
import io.metaroce.sim.EdgeNode;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.FaultPlan;
import io.metaroce.sim.Host;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.NicConfig;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;

/** Two hosts around a simulated switch; time is the world's, and passes only while somebody waits. */
final class SimWorld implements VerbsWorld {
    private final World world;
    private final Device client;
    private final Device server;

    SimWorld(EndpointConfig config) {
        this(config, LinkConfig.port(100_000_000_000L, SimTime.US, 1 << 20));
    }

    SimWorld(EndpointConfig config, LinkConfig down) {
        world = World.ofSeed(1);
        Fabric fabric = Topology.star(world, new Topology.Star(4, 1, NicConfig.ofGbit(100), down));
        client = Device.open(Host.attach(fabric.attachment("h0"), config));
        server = Device.open(Host.attach(fabric.attachment("h1"), config));
        fabric.attachment("h2").attach(new Swallower(world));
    }

    World world() {
        return world;
    }

    @Override
    public Device client() {
        return client;
    }

    @Override
    public Device server() {
        return server;
    }

    @Override
    public String serverAddress() {
        return "h1";
    }

    @Override
    public String nobodysAddress() {
        return "h3";
    }

    @Override
    public String silentAddress() {
        return Addressing.of(0, 2).toString();
    }

    @Override
    public void serverFallsSilent() {
        world.faults(new FaultPlan.Builder()
                .at(world.nowPs(), FaultPlan.Target.links("h1-hub").from("h1"), FaultPlan.Verb.DOWN)
                .build());
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }

    /** A node that takes everything and never says a word. */
    private static final class Swallower implements EdgeNode {
        private final World world;

        Swallower(World world) {
            this.world = world;
        }

        @Override
        public void onArrival(long timePs, int packet) {
            world.packets().release(packet);
        }

        @Override
        public void onWake(long timePs) {}

        @Override
        public long nextWakePs() {
            return SimTime.NEVER;
        }
    }
}
