package io.metaroce.sim.swarm;

import io.metaroce.num.SplitMix64;
import io.metaroce.param.AckConfig;
import io.metaroce.param.ConnectionLimits;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.EndpointLimits;
import io.metaroce.param.PathConfig;
import io.metaroce.param.Profiles;
import io.metaroce.param.SchedulerConfig;
import io.metaroce.param.Secret;
import io.metaroce.param.SecurityConfig;
import io.metaroce.sim.EcnRamp;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.FaultScript;
import io.metaroce.sim.Host;
import io.metaroce.sim.Invariants;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.NicConfig;
import io.metaroce.sim.PlacementOracle;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import io.metaroce.sim.swarm.SwarmCase.Command;
import io.metaroce.sim.swarm.SwarmCase.End;
import io.metaroce.sim.swarm.SwarmCase.Net;
import io.metaroce.sim.swarm.SwarmCase.Op;
import io.metaroce.sim.swarm.SwarmCase.Options;
import io.metaroce.sim.swarm.SwarmCase.Order;
import io.metaroce.sim.swarm.SwarmCase.Profile;
import io.metaroce.sim.swarm.SwarmCase.Side;
import io.metaroce.sim.swarm.SwarmCase.Talk;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs one case in a world of its own and judges it.
 *
 * <ul>
 *   <li>packets: {@link Invariants}, at every event
 *   <li>memory: {@link PlacementOracle}, every few turns of the applications and at the end
 *   <li>completions: {@link Lane}, each as it is polled
 *   <li>progress: everything has ended a bounded time after the last fault and the last post
 *   <li>conservation, at the end: no packet lost from the books, no slot kept
 * </ul>
 */
public final class CaseRunner {
    private static final long BYTES_PER_SECOND_PER_GBIT = 125_000_000;
    private static final long PROGRESS_NS = 5_000_000_000L; // of whoever is left in peace
    private static final long DEATH_NS = 60_000_000_000L; // until a peer that is gone has been given up
    private static final long TURN_NS_MAX = 500_000;
    private static final int TURN_NS = 4_000;
    private static final long SETTLE_NS = 3_000_000;
    private static final long RESTART_NS = 50_000;
    private static final int ORACLE_EVERY = 128;
    private static final int CONNECTIONS = 32;
    private static final int REGIONS = 512;
    private static final Secret KEY = Secret.ofHex("00112233445566778899aabbccddeeff");

    private final SwarmCase one;
    private final World world;
    private final SplitMix64 draw;
    private final PlacementOracle oracle = new PlacementOracle();
    private final List<Host> hosts = new ArrayList<>();
    private final List<Conversation> conversations = new ArrayList<>();
    private String fault = "";
    private long turns;
    private long quietTurns;
    private long eventsBefore;

    /**
     * How a case went.
     *
     * @param fault what was wrong, or nothing
     * @param traceHash fold over everything that happened
     * @param events events worked off
     * @param virtualNs time that passed in the world
     */
    public record Outcome(String fault, long traceHash, long events, long virtualNs) {
        /** Whether nothing was wrong. */
        public boolean isRight() {
            return fault.isEmpty();
        }
    }

    private CaseRunner(SwarmCase one) {
        this.one = one;
        world = World.ofSeed(one.seed());
        draw = world.seeds().stream("turns", 0);
    }

    /** Runs a case; never throws for what the engine did. */
    public static Outcome run(SwarmCase one) {
        CaseRunner runner = new CaseRunner(one);
        String fault;
        try {
            fault = runner.fault();
        } catch (AssertionError | RuntimeException e) {
            StackTraceElement[] trace = e.getStackTrace();
            fault = e + (trace.length > 0 ? "\n  at " + trace[0] : "") + (trace.length > 1 ? "\n  at " + trace[1] : "");
        }
        World world = runner.world;
        String shown = fault.isEmpty() ? "" : fault + "\n  at " + world.nowNs() + " ns\n  " + runner.conversations;
        return new Outcome(shown, world.trace().value(), world.events(), world.nowNs());
    }

    private String fault() {
        build();
        for (Conversation each : conversations) {
            each.begins(world.nowNs());
        }
        turn();
        boolean inTime = world.runUntil(() -> !fault.isEmpty() || haveEnded(), limitNs());
        if (!fault.isEmpty()) {
            return fault;
        }
        if (!inTime) {
            return "not everything ended within " + limitNs() + " ns";
        }
        world.run(Math.max(0, one.healNs() - world.nowNs()) + SETTLE_NS);
        return fault.isEmpty() ? faultAtEnd() : fault;
    }

    private void build() {
        Fabric fabric = fabric(one.net());
        Invariants.watch(world);
        EndpointConfig config = config(one);
        for (int i = 0; i < one.net().hosts(); i++) {
            hosts.add(fabric.host(fabric.attachments().get(i).name(), config));
        }
        StringBuilder script = new StringBuilder();
        for (String line : one.faults()) {
            script.append(line).append('\n');
        }
        world.faults(FaultScript.parse(script + "at " + one.healNs() + "ns heal all"));
        for (Order order : one.orders()) {
            world.at(SimTime.ofNs(order.atNs()), () -> obeys(order));
        }
        world.at(SimTime.ofNs(one.healNs()), this::takesOrdersBack);
        for (int i = 0; i < one.talks().size(); i++) {
            Talk talk = one.talks().get(i);
            Host from = hosts.get(talk.from());
            Host to = hosts.get(talk.to());
            conversations.add(new Conversation(one, i, from, to, isDisturbed(talk), oracle));
            if (talk.end() == End.LEFT || talk.end() == End.CRASHED || talk.end() == End.RESTARTED) {
                Host who = talk.isByInitiator() ? from : to;
                world.at(SimTime.ofNs(talk.endNs()), () -> goes(who, talk.end()));
            }
        }
    }

    private void obeys(Order order) {
        Host host = hosts.get(order.host());
        if (host.isClosed()) {
            return;
        }
        switch (order.command()) {
            case PLANE_DOWN -> host.endpoint().planeDown(world.nowNs(), order.number());
            case PLANE_UP -> host.endpoint().planeUp(world.nowNs(), order.number());
            case PARK, UNPARK -> {
                for (Conversation each : conversations) {
                    each.orders(host, world.nowNs(), order.command() == Command.PARK, order.number());
                }
            }
        }
        host.touched();
    }

    private void takesOrdersBack() {
        for (Order order : one.orders()) {
            switch (order.command()) {
                case PLANE_DOWN -> obeys(new Order(order.host(), 0, Command.PLANE_UP, order.number()));
                case PARK -> obeys(new Order(order.host(), 0, Command.UNPARK, order.number()));
                case PLANE_UP, UNPARK -> {}
            }
        }
    }

    // Somebody ends it early, or one of its hosts goes because of another connection.
    private boolean isDisturbed(Talk talk) {
        boolean disturbed = talk.end() != End.DRAINED;
        for (Talk other : one.talks()) {
            boolean hostGoes = other.end() == End.LEFT || other.end() == End.CRASHED || other.end() == End.RESTARTED;
            int who = other.isByInitiator() ? other.from() : other.to();
            disturbed |= hostGoes && (talk.from() == who || talk.to() == who);
        }
        return disturbed;
    }

    private void goes(Host host, End end) {
        if (host.isClosed()) {
            return;
        }
        if (end == End.LEFT) {
            host.close();
            return;
        }
        host.crash();
        for (Conversation each : conversations) {
            each.died(host);
        }
        if (end == End.RESTARTED) {
            world.at(world.nowPs() + SimTime.ofNs(RESTART_NS), host::restart);
        }
    }

    // The applications' turn, at irregular times; ever more seldom while nothing happens.
    private void turn() {
        long nowNs = world.nowNs();
        for (Conversation each : conversations) {
            fault = fault.isEmpty() ? each.turn(nowNs) : fault;
        }
        if (++turns % ORACLE_EVERY == 0 && fault.isEmpty()) {
            fault = oracle.faultNow();
        }
        if (!fault.isEmpty()) {
            return;
        }
        long next = Long.MAX_VALUE;
        for (Conversation each : conversations) {
            next = each.nextNs() > nowNs ? Math.min(next, each.nextNs() - nowNs) : next;
        }
        quietTurns = world.events() - eventsBefore < 4 ? quietTurns + 1 : 0;
        eventsBefore = world.events();
        long lazyNs = Math.min(TURN_NS_MAX, (long) TURN_NS << Math.min(quietTurns, 10));
        world.at(world.nowPs() + SimTime.ofNs(1 + Math.min(next, lazyNs)) + draw.nextInt(2_000_000), this::turn);
    }

    private boolean haveEnded() {
        for (Conversation each : conversations) {
            if (!each.hasEnded()) {
                return false;
            }
        }
        return true;
    }

    private long limitNs() {
        long last = one.healNs();
        boolean isDisturbed = false;
        for (Talk talk : one.talks()) {
            last = Math.max(last, talk.endNs());
            isDisturbed |= talk.end() != End.DRAINED;
        }
        for (Op op : one.ops()) {
            last = Math.max(last, Math.max(op.postNs(), op.receiveNs()));
        }
        return last + (isDisturbed ? DEATH_NS : PROGRESS_NS);
    }

    private String faultAtEnd() {
        String wrong = oracle.faultNow();
        if (wrong.isEmpty()) {
            wrong = world.conservation().fault();
        }
        if (wrong.isEmpty() && world.packets().inUse() != 0) {
            wrong = world.packets().inUse() + " packets are still under way";
        }
        for (Host host : hosts) {
            int free = host.endpoint().freeSlots();
            if (wrong.isEmpty() && !host.isClosed() && free != one.side().slots()) {
                wrong = "slots of " + host + " were not given back: " + free + " of "
                        + one.side().slots();
            }
        }
        return wrong;
    }

    private Fabric fabric(Net net) {
        NicConfig nic = NicConfig.ofGbit(net.gbit());
        long delayPs = SimTime.ofNs(net.delayNs());
        long full = one.side().payloadBytes();
        long queueBytes = net.queuePackets() * full;
        LinkConfig link = net.queuePackets() == 0
                ? LinkConfig.wire(delayPs)
                : LinkConfig.port(nic.rateBitsPerSecond(), delayPs, queueBytes)
                        .withEcn(
                                net.isMarking()
                                        ? new EcnRamp(queueBytes / 5, 4 * queueBytes / 5, 1_000_000)
                                        : EcnRamp.OFF);
        return switch (net.shape()) {
            case PAIR ->
                Topology.pair(
                        world, new Topology.Pair(net.planes(), net.spread(), nic, link, SimTime.ofNs(net.skewNs())));
            case STAR -> Topology.star(world, new Topology.Star(net.hosts(), net.planes(), nic, link));
            case LEAF_SPINE ->
                Topology.leafSpine(
                        world,
                        new Topology.LeafSpine(2, net.spread(), (net.hosts() + 1) / 2, net.planes(), nic, link, link));
        };
    }

    private static EndpointConfig config(SwarmCase one) {
        Side side = one.side();
        Options options = one.options();
        EndpointConfig config = options.profile() == Profile.UDP ? Profiles.udp() : Profiles.model();
        AckConfig ack = config.ack();
        long rate = one.net().gbit() * BYTES_PER_SECOND_PER_GBIT * one.net().planes();
        PathConfig path = config.path();
        EndpointLimits limits = config.limits();
        ConnectionLimits connection = config.connection();
        return config.withRate(config.rate().withLineRate(rate, rate))
                .withPath(new PathConfig(
                        side.paths(),
                        side.window(),
                        options.trackPackets(),
                        options.sackWords(),
                        path.flushFloorNs(),
                        path.timeoutFloorNs(),
                        path.timeoutMaxNs(),
                        path.silenceFloorNs(),
                        path.idleProbeNs()))
                .withAck(new AckConfig(side.ackPackets(), ack.everyBytes(), ack.delayMaxNs()))
                .withScheduler(new SchedulerConfig(side.burst()))
                .withLimits(new EndpointLimits(
                        CONNECTIONS, side.slots(), REGIONS, limits.sourcePorts(), limits.pendingOffers()))
                .withConnection(connection.withPayloadBytes(side.payloadBytes()))
                .withSecurity(security(options));
    }

    private static SecurityConfig security(Options options) {
        SecurityConfig keys = options.isKeyed() ? SecurityConfig.NONE.withEndpointKey(KEY) : SecurityConfig.NONE;
        return options.rekeyPackets() == 0 ? keys : keys.withPresharedKey(KEY).withRekeyPackets(options.rekeyPackets());
    }
}
