package io.metaroce.verbs;

import io.metaroce.param.EndpointConfig;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.FaultPlan;
import io.metaroce.sim.Host;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;

/** Two simulated hosts with several ways between them, all of which can be broken by a script. */
final class PathsWorld implements VerbsWorld {
    static final long FOR_GOOD = -1;

    final World world;
    private final Device client;
    private final Device server;

    PathsWorld(EndpointConfig config, int planes) {
        world = World.ofSeed(3);
        Fabric fabric = Topology.pair(world, Topology.Pair.skewed(planes));
        client = Device.open(Host.attach(fabric.attachment("a"), config));
        server = Device.open(Host.attach(fabric.attachment("b"), config));
    }

    /** Something breaks now and, unless the time is {@link #FOR_GOOD}, works again after so many ns. Once a world. */
    void breaks(FaultPlan.Target what, long forNs) {
        FaultPlan.Builder plan = new FaultPlan.Builder().at(world.nowPs(), what, FaultPlan.Verb.DOWN);
        if (forNs != FOR_GOOD) {
            plan.at(world.nowPs() + forNs * SimTime.NS, what, FaultPlan.Verb.UP);
        }
        world.faults(plan.build());
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
        return "b";
    }

    @Override
    public String nobodysAddress() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String silentAddress() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void serverFallsSilent() {
        breaks(FaultPlan.Target.links("*").from("b"), FOR_GOOD);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
