package io.metaroce.tools.lab;

import io.metaroce.engine.PathView;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Host;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All flows of a run, and the regions of their hosts, one message long. */
final class Traffic {
    private static final long LIMIT_NS = 10_000_000_000L;
    private static final long ALIGNED_NS = 10_000;
    private static final int BESIDE_BYTES = 65_536;
    private static final int BESIDE_DEPTH = 32;
    private static final int BESIDE_NUMBER = 50_000; // of the first; no other flow has so high a number

    private final LabFabric fabric;
    private final Sizes sizes;
    private final int depth;
    private final LabMemory memory;
    private final Map<String, MemoryRegion> regions = new TreeMap<>();
    private final List<Flow> flows = new ArrayList<>();
    private final List<Flow> beside = new ArrayList<>();
    private final ArrayDeque<Flow> ready = new ArrayDeque<>();
    private int doneCount;

    Traffic(LabFabric fabric, int messageBytes, int depth) {
        this.fabric = fabric;
        sizes = new Sizes(fabric, messageBytes);
        this.depth = depth;
        memory = new LabMemory(fabric, Math.max(BESIDE_BYTES, sizes.max()));
    }

    World world() {
        return fabric.world();
    }

    List<Flow> flows() {
        return flows;
    }

    /** Every path of every flow, as its sender sees it. */
    List<PathView> paths() {
        return flows.stream().flatMap(flow -> flow.view().paths().stream()).toList();
    }

    MemoryRegion region(Host host) {
        return regions.computeIfAbsent(host.name(), name -> memory.register(host));
    }

    /** One more flow, between two places; the knob {@code read} lets the first fetch what it would else be sent. */
    Flow add(int from, int to) {
        boolean isRead = fabric.knobs().isSet("read");
        Flow flow = new Flow(
                this,
                fabric.host(from),
                fabric.host(to),
                isRead ? WrOpcode.RDMA_READ : WrOpcode.RDMA_WRITE,
                sizes.ofFlow(flows.size()),
                flows.size(),
                depth);
        flows.add(flow);
        return flow;
    }

    /** A flow beside the others, of Writes that never end; nobody waits for it, and no figure counts it. */
    Flow addBeside(int from, int to) {
        Flow flow = new Flow(
                this,
                fabric.host(from),
                fabric.host(to),
                WrOpcode.RDMA_WRITE,
                BESIDE_BYTES,
                BESIDE_NUMBER + beside.size(),
                BESIDE_DEPTH);
        beside.add(flow);
        return flow;
    }

    /** Adds what each flow carries to a load, when it carries so many messages. */
    FabricLoad load(double messages) {
        FabricLoad load = new FabricLoad(fabric);
        for (Flow flow : flows) {
            boolean isRead = flow.receiver() != flow.to();
            int from = fabric.place(isRead ? flow.to() : flow.from());
            load.add(from, fabric.place(flow.receiver()), flow.messageBytes(), messages);
        }
        return load;
    }

    /** The flows that the knobs ask for. */
    void place() {
        Placement.pairs(fabric).forEach(pair -> add(pair[0], pair[1]));
    }

    /** Makes all connections; with the knob {@code warm} each also carries a message. */
    void connect() {
        Join.makeAll(
                world(),
                Stream.concat(flows.stream(), beside.stream()).map(Flow::join).toList());
        align();
        if (fabric.knobs().isSet("warm")) {
            write(1, 0);
            complete();
            align();
        }
    }

    // To an instant that does not depend on the order in which nodes go on.
    private void align() {
        world().runToMultipleOf(ALIGNED_NS);
    }

    /** Every flow begins to write so many messages, each after a delay that its seed draws, up to {@code jitterNs}. */
    void write(long messages, long jitterNs) {
        doneCount = 0;
        ready.clear();
        for (int i = 0; i < flows.size(); i++) {
            Flow flow = flows.get(i);
            long delayNs = Placement.delayNs(fabric, i, jitterNs);
            if (delayNs == 0) {
                flow.write(messages);
            } else {
                world().at(world().nowPs() + delayNs * SimTime.NS, () -> flow.write(messages));
            }
        }
    }

    /** Lets time pass, at most {@code ns}, while flows go on. */
    void run(long ns) {
        boolean unused = world().runUntil(this::turn, ns);
    }

    /** Runs until everything is complete. */
    void complete() {
        if (!world().runUntil(this::turn, LIMIT_NS)) {
            throw new IllegalStateException(String.format(
                    Locale.ROOT, "%d of %d flows are complete at %d ns", doneCount, flows.size(), world().nowNs()));
        }
    }

    /** How long each flow took from {@code startNs} on, in ns. */
    double[] tookNs(long startNs) {
        return flows.stream().mapToDouble(flow -> flow.doneNs() - startNs).toArray();
    }

    /** A flow has completions to take. */
    void ready(Flow flow) {
        ready.addLast(flow);
    }

    private boolean turn() {
        while (!ready.isEmpty()) {
            doneCount += ready.removeFirst().turn() ? 1 : 0;
        }
        return doneCount == flows.size();
    }
}
