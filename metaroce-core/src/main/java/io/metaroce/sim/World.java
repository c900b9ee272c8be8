package io.metaroce.sim;

import io.metaroce.param.FirstNumbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A closed world with its own time: hosts, links, switches, faults, and nothing that is not in its seed.
 *
 * <p>Build a fabric with {@link Topology}, attach hosts, then let it run with {@link #runUntil} or {@link #step}.
 * Events happen one after the other, the earliest first; at equal instants the lower leaf number goes first (the fault
 * plan before everything else, then what was built earlier). A world whose order is {@link WorldConfig.Order#BY_NODE}
 * keeps to that for each node, and runs faster.
 */
public final class World {
    private static final int FAULTS_LEAF = 0;
    private static final int CALLS_LEAF = 1;
    private static final int NOBODY = -1;

    private final WorldConfig config;
    private final SeedTree seeds;
    private final PacketPool packets;
    private final TraceHash trace = new TraceHash();
    private final EventTree tree = new EventTree();
    private final @Nullable NodeOrder nodes; // null when the earliest event of all goes first
    private @Nullable Link[] linkOfLeaf = {};
    private @Nullable Woken[] wokenOfLeaf = {};
    private final List<PacketObserver> observers = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();
    private final Calls calls = new Calls();
    private final Conservation conservation;
    private @Nullable FaultRunner faults;
    private @Nullable Fabric fabric;
    private FirstNumbers firstNumbers = FirstNumbers.USUAL;

    private long nowPs;
    private long events;
    private int eventsAtThisInstant;
    private boolean isStepping;
    private int nodeOnTurn = NOBODY;
    private long leastDelayPs; // 0 when it has to be looked for

    /** An empty world. */
    public World(WorldConfig config) {
        this.config = config;
        seeds = new SeedTree(config.seed());
        packets = new PacketPool(config.packets(), config.packetBytesMax());
        conservation = new Conservation(this);
        nodes = config.order() == WorldConfig.Order.BY_NODE ? new NodeOrder() : null;
        newLeaf(null, null); // faults
        newLeaf(null, null); // calls
    }

    /** An empty world with the usual limits. */
    public static World ofSeed(long seed) {
        return new World(WorldConfig.ofSeed(seed));
    }

    /** Now, in ps. */
    public long nowPs() {
        return nowPs;
    }

    /** Now, in ns: what the engine sees. */
    public long nowNs() {
        return SimTime.toNs(nowPs);
    }

    /** Events worked off so far. */
    public long events() {
        return events;
    }

    /** Where every random draw comes from. */
    public SeedTree seeds() {
        return seeds;
    }

    /** What becomes of payload. */
    WorldConfig.Payload payload() {
        return config.payload();
    }

    /** The packets. */
    public PacketPool packets() {
        return packets;
    }

    /** The fold over everything that happened. */
    public TraceHash trace() {
        return trace;
    }

    /** The book of where packets went. */
    public Conservation conservation() {
        return conservation;
    }

    /** The network; a topology must have been built. */
    public Fabric fabric() {
        if (fabric == null) {
            throw new IllegalStateException("this world has no fabric yet; build one with Topology");
        }
        return fabric;
    }

    /** Every host, in order of attachment. */
    public List<Host> hosts() {
        return Collections.unmodifiableList(hosts);
    }

    /** The host with this name. */
    public Host host(String name) {
        for (Host host : hosts) {
            if (host.name().equals(name)) {
                return host;
            }
        }
        throw new IllegalArgumentException("no host is called " + name + "; there are " + hosts);
    }

    /** The counters of every connection begin there; before hosts are attached. */
    public void firstNumbers(FirstNumbers value) {
        firstNumbers = value;
    }

    /** Where the counters of every connection begin. */
    FirstNumbers firstNumbers() {
        return firstNumbers;
    }

    /** Shows every packet to an observer from now on. */
    public void observe(PacketObserver observer) {
        if (nodes != null) {
            throw new IllegalStateException("observers see things in order of time; change WorldConfig.order");
        }
        observers.add(observer);
    }

    /** Lets a plan of faults loose; its times count from the start of the world. One plan per world. */
    public void faults(FaultPlan plan) {
        if (faults != null) {
            throw new IllegalStateException("this world has a fault plan already; put all faults into one");
        }
        if (nodes != null && !plan.fates().isEmpty()) {
            throw new IllegalStateException("packets are counted in order of time; change WorldConfig.order");
        }
        faults = new FaultRunner(plan, fabric());
        tree.set(FAULTS_LEAF, faults.nextPs());
    }

    /** Calls {@code what} at an instant, before everything else that happens then except faults. For tests. */
    public void at(long timePs, Runnable what) {
        if (nodeOnTurn != NOBODY) {
            throw new IllegalStateException("a node cannot ask the world to call it; change WorldConfig.order");
        }
        calls.add(Math.max(timePs, nowPs), what);
        tree.set(CALLS_LEAF, calls.nextPs());
    }

    /**
     * Works off the next event.
     *
     * @return false when nothing will ever happen again
     */
    public boolean step() {
        if (nodes != null) {
            throw new IllegalStateException("single events come in order of time; change WorldConfig.order");
        }
        if (tree.firstKey() == SimTime.NEVER) {
            return false;
        }
        begin();
        try {
            advanceTo(tree.firstKey());
            run(tree.first());
            for (int i = 0; i < observers.size(); i++) {
                observers.get(i).afterEvent(nowPs);
            }
        } finally {
            isStepping = false;
        }
        return true;
    }

    /**
     * Works off events until {@code done} says true, at most {@code limitNs} from now. Asks before each event; in order
     * of nodes, all of them go on to the same instant afterwards.
     *
     * @return whether {@code done} said true; when not, the limit has passed or nothing will ever happen again
     */
    public boolean runUntil(BooleanSupplier done, long limitNs) {
        return runTo(SimTime.plus(nowPs, SimTime.ofNs(limitNs)), done);
    }

    /** Lets time pass until the next multiple of so many ns: from there on a run is the same in both orders. */
    public void runToMultipleOf(long ns) {
        long stepPs = SimTime.ofNs(ns);
        boolean unused = runTo((nowPs / stepPs + 1) * stepPs, () -> false);
    }

    private boolean runTo(long endPs, BooleanSupplier done) {
        if (nodes != null) {
            begin();
            try {
                return runByNode(nodes, done, endPs);
            } finally {
                isStepping = false;
                nodeOnTurn = NOBODY;
            }
        }
        while (!done.getAsBoolean()) {
            if (tree.firstKey() > endPs || !step()) {
                nowPs = endPs == SimTime.NEVER ? nowPs : Math.max(nowPs, endPs);
                return done.getAsBoolean();
            }
        }
        return true;
    }

    /** Lets {@code ns} nanoseconds pass. */
    public void run(long ns) {
        runUntil(() -> false, ns);
    }

    private boolean runByNode(NodeOrder order, BooleanSupplier done, long endPs) {
        boolean isDone = done.getAsBoolean();
        while (!isDone) {
            long outsidePs = tree.firstKey(); // of faults and calls, which concern anybody
            long nextPs = Math.min(outsidePs, order.nextPs());
            if (nextPs == SimTime.NEVER || nextPs > endPs) {
                nowPs = endPs == SimTime.NEVER ? nowPs : Math.max(nowPs, endPs);
                return done.getAsBoolean();
            }
            if (outsidePs == nextPs) {
                advanceTo(nextPs);
                run(tree.first());
                isDone = done.getAsBoolean();
            } else {
                isDone = runRounds(order, done, nextPs, Math.min(outsidePs, SimTime.plus(endPs, 1)));
            }
        }
        return true;
    }

    /**
     * Goes on until {@code done} says true or everything before {@code barPs} has happened. Nodes of the two sides go
     * on in turn, each side up to one delay beyond where the other is.
     */
    private boolean runRounds(NodeOrder order, BooleanSupplier done, long fromPs, long barPs) {
        long delayPs = leastDelayPs(order);
        long reachedPs = fromPs; // by the side that went on last: all before has happened there
        int side = 0;
        boolean isDone = false;
        do {
            reachedPs = Math.min(SimTime.plus(reachedPs, delayPs), barPs);
            isDone |= runSide(order, side, reachedPs, done);
            side = 1 - side;
        } while (!isDone && reachedPs < barPs && order.nextPs() < reachedPs);
        isDone |= runSide(order, side, reachedPs, done); // no side is left behind
        nowPs = reachedPs - 1;
        return isDone;
    }

    // Everything that happens to the nodes of a side before an instant.
    private boolean runSide(NodeOrder order, int side, long limitPs, BooleanSupplier done) {
        boolean isDone = false;
        for (int node = 0; node < order.nodes(); node++) {
            if (order.nextPs(node) < limitPs && order.side(node) == side) {
                isDone |= runNode(order, node, limitPs, done);
            }
        }
        return isDone;
    }

    // Everything that happens to a node before an instant.
    private boolean runNode(NodeOrder order, int node, long limitPs, BooleanSupplier done) {
        boolean isDone = false;
        nodeOnTurn = node;
        nowPs = order.nextPs(node); // back to where this node is
        eventsAtThisInstant = 0;
        for (long nextPs = nowPs; nextPs < limitPs; nextPs = order.nextPs(node)) {
            advanceTo(nextPs);
            run(order.nextLeaf(node));
            isDone |= done.getAsBoolean();
        }
        nodeOnTurn = NOBODY;
        return isDone;
    }

    private long leastDelayPs(NodeOrder order) {
        if (leastDelayPs == 0) {
            leastDelayPs = order.leastDelayPs(fabric());
        }
        return leastDelayPs;
    }

    // ---- what the parts of the world use ----

    int addNode() {
        return nodes == null ? 0 : nodes.addNode();
    }

    int addLeaf(Link link, int node) {
        return belongs(newLeaf(link, null), node);
    }

    int addLeaf(Woken woken, int node) {
        return belongs(newLeaf(null, woken), node);
    }

    private int belongs(int leaf, int node) {
        if (nodes != null) {
            nodes.addLeaf(leaf, node);
        }
        return leaf;
    }

    private int newLeaf(@Nullable Link link, @Nullable Woken woken) {
        int leaf = tree.addLeaf();
        if (leaf == linkOfLeaf.length) {
            linkOfLeaf = Arrays.copyOf(linkOfLeaf, 2 * leaf + 2);
            wokenOfLeaf = Arrays.copyOf(wokenOfLeaf, 2 * leaf + 2);
        }
        linkOfLeaf[leaf] = link;
        wokenOfLeaf[leaf] = woken;
        return leaf;
    }

    /** The first packet of a link arrives at another time. */
    void rekey(int leaf, long timePs) {
        if (nodes == null) {
            tree.set(leaf, timePs);
        } else {
            nodes.set(leaf, timePs);
        }
    }

    /** What says whose event is next. */
    EventTree tree() {
        return tree;
    }

    /** A host wants to be woken at another time, in the past at once. */
    void wakes(int leaf, long timePs) {
        if (nodes != null && nodeOnTurn != NOBODY && nodes.nodeOf(leaf) != nodeOnTurn) {
            throw new IllegalStateException("a node woke another one; change WorldConfig.order");
        }
        rekey(leaf, Math.max(timePs, nowPs));
    }

    /** A link does something else. */
    void changed(LinkConfig config) {
        leastDelayPs = 0;
        if (nodes != null && config.faults().reordering().ppm() > 0) {
            throw new IllegalStateException(
                    "whether a packet is overtaken depends on both ends of a link; change WorldConfig.order");
        }
    }

    void built(Fabric value) {
        if (fabric != null) {
            throw new IllegalStateException("this world has a fabric already");
        }
        fabric = value;
    }

    void left(Host host) {
        hosts.remove(host);
    }

    void joined(Host host) {
        hosts.add(host);
    }

    void sent(int node, int packet) {
        packets.sentPs(packet, nowPs);
        conservation.sent();
        for (int i = 0; i < observers.size(); i++) {
            observers.get(i).sent(nowPs, node, packet);
        }
    }

    /** What becomes of the packet sent last, or null. */
    FaultPlan.@Nullable Fate fate() {
        return faults == null ? null : faults.fate(conservation.sentPackets());
    }

    void copied() {
        conservation.copied();
    }

    void delivered(int node, int link, int packet) {
        conservation.delivered();
        trace.delivered(nowPs, link, packets, packet);
        for (int i = 0; i < observers.size(); i++) {
            observers.get(i).delivered(nowPs, node, packet);
        }
    }

    /** Books a lost packet and gives it back to the pool. */
    void dropped(long timePs, int link, String where, int packet, DropCause cause) {
        conservation.dropped();
        trace.dropped(timePs, link, cause, packets, packet);
        for (int i = 0; i < observers.size(); i++) {
            observers.get(i).dropped(timePs, where, packet, cause);
        }
        packets.release(packet);
    }

    private void begin() {
        if (isStepping) {
            throw new IllegalStateException("the world is run from within one of its own events");
        }
        isStepping = true;
    }

    private void advanceTo(long timePs) {
        events++;
        if (timePs > nowPs) {
            nowPs = timePs;
            eventsAtThisInstant = 0;
        } else if (++eventsAtThisInstant > config.eventsPerInstantMax()) {
            throw new SimLimitException("time stands still at " + nowPs + " ps after " + eventsAtThisInstant
                    + " events, seed " + seeds.seed() + "; a limit of WorldConfig.eventsPerInstantMax");
        }
    }

    private void run(int leaf) {
        Link link = linkOfLeaf[leaf];
        if (link != null) {
            link.onHead(nowPs);
            return;
        }
        Woken woken = wokenOfLeaf[leaf];
        if (woken != null) {
            woken.onWake(nowPs);
        } else if (leaf == FAULTS_LEAF && faults != null) {
            faults.runDue(nowPs);
            tree.set(FAULTS_LEAF, faults.nextPs());
        } else {
            Runnable call = calls.take();
            tree.set(CALLS_LEAF, calls.nextPs());
            call.run();
        }
    }

    /** Calls asked for by tests, in order of time, then of asking. */
    private static final class Calls {
        private record Call(long timePs, Runnable what) {}

        private final List<Call> waiting = new ArrayList<>();

        void add(long timePs, Runnable what) {
            int i = waiting.size();
            while (i > 0 && waiting.get(i - 1).timePs() > timePs) {
                i--;
            }
            waiting.add(i, new Call(timePs, what));
        }

        long nextPs() {
            return waiting.isEmpty() ? SimTime.NEVER : waiting.get(0).timePs();
        }

        Runnable take() {
            return waiting.remove(0).what();
        }
    }
}
