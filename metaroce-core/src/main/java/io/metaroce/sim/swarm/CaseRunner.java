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
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.EcnRamp;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.FaultScript;
import io.metaroce.sim.Host;
import io.metaroce.sim.HostClock;
import io.metaroce.sim.Invariants;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.NicConfig;
import io.metaroce.sim.PlacementOracle;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import io.metaroce.sim.swarm.SwarmCase.Clock;
import io.metaroce.sim.swarm.SwarmCase.Command;
import io.metaroce.sim.swarm.SwarmCase.End;
import io.metaroce.sim.swarm.SwarmCase.Flaw;
import io.metaroce.sim.swarm.SwarmCase.Limits;
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
 *   <li>progress: everything has ended in the time that {@link Bounds} allows, and with so many packets
 *   <li>order: {@link OrderLaw}, after every event
 *   <li>conservation, at the end: no packet lost from the books, no slot, cell or memory kept
 * </ul>
 */
public final class CaseRunner {
    private static final long BYTES_PER_SECOND_PER_GBIT = 125_000_000;
    private static final long TURN_NS_MAX = 500_000;
    private static final int TURN_NS = 4_000;
    private static final long SETTLE_NS = 3_000_000;
    private static final long FORGOTTEN_NS = 90_000_000_000L; // until nothing answers for a closed connection any more
    private static final long RESTART_NS = 50_000;
    private static final int ORACLE_EVERY = 128;
    private static final int CONNECTIONS = 32;
    private static final Secret KEY = Secret.ofHex("00112233445566778899aabbccddeeff");

    private final SwarmCase one;
    private final Meddler meddler;
    private final World world;
    private final SplitMix64 draw;
    private final PlacementOracle oracle = new PlacementOracle();
    private final OrderWatch order = new OrderWatch();
    private final List<Host> hosts = new ArrayList<>();
    private final List<Conversation> conversations = new ArrayList<>();
    private String fault = "";
    private final long[] memoryBefore;
    private int begun;
    private long endedNs;
    private boolean isOver;
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
     * @param endedNs when everything had ended
     * @param packets packets that were sent
     */
    public record Outcome(String fault, long traceHash, long events, long virtualNs, long endedNs, long packets) {
        /** Whether nothing was wrong. */
        public boolean isRight() {
            return fault.isEmpty();
        }
    }

    /** Does what an engine or an application must never do, to see whether the judges notice. */
    interface Meddler {
        /** Nobody meddles. */
        Meddler NOBODY = (world, conversation) -> {};

        /** A conversation begins; whatever is to go wrong with it may be prepared now. */
        void meets(World world, Conversation conversation);
    }

    private CaseRunner(SwarmCase one, Meddler meddler) {
        this.one = one;
        this.meddler = meddler;
        world = World.ofSeed(one.seed());
        draw = world.seeds().stream("turns", 0);
        memoryBefore = new long[one.net().hosts()];
    }

    /** Runs a case; never throws for what the engine did. */
    public static Outcome run(SwarmCase one) {
        return run(one, Meddler.NOBODY);
    }

    static Outcome run(SwarmCase one, Meddler meddler) {
        CaseRunner runner = new CaseRunner(one, meddler);
        String fault;
        try {
            fault = runner.fault();
        } catch (AssertionError | RuntimeException e) {
            StackTraceElement[] trace = e.getStackTrace();
            fault = e + (trace.length > 0 ? "\n  at " + trace[0] : "") + (trace.length > 1 ? "\n  at " + trace[1] : "");
        }
        World world = runner.world;
        String shown = fault.isEmpty() ? "" : fault + "\n  at " + world.nowNs() + " ns\n  " + runner.conversations;
        return new Outcome(
                shown,
                world.trace().value(),
                world.events(),
                world.nowNs(),
                runner.endedNs,
                world.conservation().sentPackets());
    }

    private String fault() {
        build();
        for (int i = 0; i < one.talks().size(); i++) {
            if (one.talks().get(i).beginNs() == 0) {
                begin(i);
            }
        }
        turn();
        boolean inTime = world.runUntil(() -> isWrong() || haveEnded(), Bounds.endNs(one));
        if (!fault.isEmpty()) {
            return fault;
        }
        if (!inTime) {
            return "not everything ended within " + Bounds.endNs(one) + " ns";
        }
        endedNs = world.nowNs();
        world.run(Math.max(0, one.healNs() - world.nowNs()) + SETTLE_NS);
        isOver = true;
        world.run(FORGOTTEN_NS);
        for (Conversation each : conversations) {
            fault = fault.isEmpty() ? each.turn(world.nowNs()) : fault;
        }
        return fault.isEmpty() ? faultAtEnd() : fault;
    }

    private boolean isWrong() {
        fault = fault.isEmpty() ? order.fault() : fault;
        return !fault.isEmpty();
    }

    private void begin(int number) {
        Talk talk = one.talks().get(number);
        Host from = hosts.get(talk.from());
        Host to = hosts.get(talk.to());
        Conversation made = new Conversation(one, number, from, to, isDisturbed(talk), oracle, order);
        conversations.add(made);
        begun++;
        made.begins();
        meddler.meets(world, made);
    }

    private void build() {
        Fabric fabric = fabric(one.net());
        Invariants.watch(world);
        EndpointConfig config = config(one);
        for (int i = 0; i < one.net().hosts(); i++) {
            Host host = fabric.host(fabric.attachments().get(i).name(), config, clock(i));
            hosts.add(host);
            memoryBefore[i] = host.endpoint().memoryUse().bytes();
        }
        world.observe(order);
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
            int number = i;
            Talk talk = one.talks().get(i);
            if (talk.beginNs() > 0) {
                world.at(SimTime.ofNs(talk.beginNs()), () -> begin(number));
            }
            if (talk.takesHost()) {
                world.at(SimTime.ofNs(talk.endNs()), () -> goes(talk.endedBy(), talk.end()));
            }
        }
    }

    private HostClock clock(int host) {
        for (Clock clock : one.clocks()) {
            if (clock.host() == host) {
                return new HostClock(clock.offsetNs(), clock.ratePpm());
            }
        }
        return HostClock.TRUE;
    }

    private void obeys(Order order) {
        Host host = hosts.get(order.host());
        if (host.isClosed()) {
            return;
        }
        switch (order.command()) {
            case PLANE_DOWN -> host.endpoint().planeDown(host.nowNs(), order.number());
            case PLANE_UP -> host.endpoint().planeUp(host.nowNs(), order.number());
            case PARK, UNPARK -> {
                for (Conversation each : conversations) {
                    each.orders(host, order.command() == Command.PARK, order.number());
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
            boolean isBack = other.end() == End.RESTARTED && other.endNs() + RESTART_NS < talk.beginNs();
            disturbed |=
                    other.takesHost() && !isBack && (talk.from() == other.endedBy() || talk.to() == other.endedBy());
        }
        return disturbed;
    }

    private void goes(int number, End end) {
        Host host = hosts.get(number);
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
            world.at(world.nowPs() + SimTime.ofNs(RESTART_NS), () -> hosts.set(number, host.restart()));
        }
    }

    // The applications' turn, at irregular times; ever more seldom while nothing happens.
    private void turn() {
        if (isOver) {
            return;
        }
        long nowNs = world.nowNs();
        for (Conversation each : conversations) {
            fault = fault.isEmpty() ? each.turn(nowNs) : fault;
        }
        if (++turns % ORACLE_EVERY == 0 && fault.isEmpty()) {
            fault = memoryFault();
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

    private String memoryFault() {
        String wrong = oracle.faultNow();
        for (Conversation each : conversations) {
            wrong = wrong.isEmpty() ? each.sharedFault() : wrong;
        }
        return wrong;
    }

    private boolean haveEnded() {
        if (begun < one.talks().size()) {
            return false;
        }
        for (Conversation each : conversations) {
            if (!each.hasEnded()) {
                return false;
            }
        }
        return true;
    }

    private String faultAtEnd() {
        String wrong = memoryFault();
        if (wrong.isEmpty()) {
            wrong = world.conservation().fault();
        }
        long sent = world.conservation().sentPackets();
        if (wrong.isEmpty() && sent > Bounds.packets(one, endedNs)) {
            wrong = sent + " packets were sent, " + Bounds.packets(one, endedNs) + " are more than enough";
        }
        if (wrong.isEmpty() && world.packets().inUse() != 0) {
            wrong = world.packets().inUse() + " packets are still under way";
        }
        for (int i = 0; i < hosts.size() && wrong.isEmpty(); i++) {
            wrong = hosts.get(i).isClosed() ? "" : leftovers(hosts.get(i), memoryBefore[i]);
        }
        for (Conversation each : conversations) {
            wrong = wrong.isEmpty() ? each.leftovers() : wrong;
        }
        return wrong;
    }

    private String leftovers(Host host, long memoryBefore) {
        int free = host.endpoint().freeSlots();
        if (free != one.side().slots()) {
            return "slots of " + host + " were not given back: " + free + " of "
                    + one.side().slots();
        }
        long bytes = host.endpoint().memoryUse().bytes();
        return bytes == memoryBefore
                ? ""
                : "memory of " + host + " was not given back: " + bytes + " bytes are set aside, " + memoryBefore
                        + " at the beginning; connections " + host.endpoint().connectionIds();
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

    // Every key that the busiest host lends, and one more: so indexes come again soon, under other keys.
    private static int regions(SwarmCase one) {
        int most = 0;
        for (int host = 0; host < one.net().hosts(); host++) {
            int regions = 1;
            for (int i = 0; i < one.talks().size(); i++) {
                regions += regions(one, i, host);
            }
            most = Math.max(most, regions);
        }
        return most;
    }

    private static int regions(SwarmCase one, int talk, int host) {
        boolean isInitiator = one.talks().get(talk).from() == host;
        if (!isInitiator && one.talks().get(talk).to() != host) {
            return 0;
        }
        int streams = 1;
        int lent = 1;
        for (Op op : one.ops()) {
            if (op.talk() == talk) {
                streams = Math.max(streams, op.stream() + 1);
                boolean isOwn = op.opcode() == WrOpcode.SEND_WITH_INV || op.flaw() == Flaw.REVOKED_KEY;
                lent += isOwn && op.isFromInitiator() != isInitiator ? 1 : 0;
            }
        }
        return streams + lent;
    }

    private static EndpointConfig config(SwarmCase one) {
        Limits granted = one.limits();
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
                        path.idleProbeNs(),
                        path.payloadRaiseNs()))
                .withAck(new AckConfig(side.ackPackets(), ack.everyBytes(), ack.delayMaxNs()))
                .withScheduler(new SchedulerConfig(side.burst()))
                .withLimits(new EndpointLimits(
                        CONNECTIONS,
                        side.slots(),
                        regions(one),
                        granted.sourcePorts(),
                        limits.pendingOffers(),
                        granted.capKib() == 0 ? limits.transportBytes() : (long) granted.capKib() << 10))
                .withConnection(new ConnectionLimits(
                        side.payloadBytes(),
                        granted.streams(),
                        granted.openMessages(),
                        connection.messageBytesMax(),
                        granted.reads(),
                        granted.orderedWrites()))
                .withSecurity(security(options));
    }

    private static SecurityConfig security(Options options) {
        SecurityConfig keys = options.isKeyed() ? SecurityConfig.NONE.withEndpointKey(KEY) : SecurityConfig.NONE;
        return options.rekeyPackets() == 0 ? keys : keys.withPresharedKey(KEY).withRekeyPackets(options.rekeyPackets());
    }
}
