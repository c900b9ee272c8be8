package io.metaroce.tools.lab;

import io.metaroce.engine.PathView;
import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.memory.RegionTable;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Host;
import io.metaroce.sim.World;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All flows of a run. What bytes say is judged elsewhere, so every host registers a region without memory, one message
 * long, or, where payload is copied, the same memory: thousands of flows of megabytes would not fit otherwise.
 */
final class Traffic {
    private static final long BASE = 0x10_0000_0000L;
    private static final int FIRST_SERVICE = 1000;
    private static final long LIMIT_NS = 10_000_000_000L;
    private static final long SETTLE_NS = 200_000;
    private static final long ALIGNED_NS = 10_000;

    private final LabFabric fabric;
    private final int messageBytes;
    private final int depth;
    private final @Nullable ByteBuffer memory; // none where payload is not copied
    private final Map<String, MemoryRegion> regions = new TreeMap<>();
    private final List<Flow> flows = new ArrayList<>();
    private final ArrayDeque<Flow> ready = new ArrayDeque<>();
    private int establishedCount;
    private int doneCount;

    Traffic(LabFabric fabric, int messageBytes, int depth) {
        this.fabric = fabric;
        this.messageBytes = messageBytes;
        this.depth = depth;
        memory = fabric.isPayloadCopied() ? ByteBuffer.allocateDirect(messageBytes) : null;
    }

    World world() {
        return fabric.world();
    }

    int messageBytes() {
        return messageBytes;
    }

    List<Flow> flows() {
        return flows;
    }

    /** Every path of every flow, as its sender sees it. */
    List<PathView> paths() {
        return flows.stream().flatMap(flow -> flow.view().paths().stream()).toList();
    }

    MemoryRegion region(Host host) {
        return regions.computeIfAbsent(
                host.name(), name -> register(host.endpoint().regions()));
    }

    private MemoryRegion register(RegionTable table) {
        return memory == null
                ? table.registerNull(Flow.DOMAIN, messageBytes, BASE, Access.ALL)
                : table.register(Flow.DOMAIN, memory, BASE, Access.ALL);
    }

    /** One more flow, between two places; the knob {@code read} lets the first fetch what it would else be sent. */
    Flow add(int from, int to) {
        boolean isRead = fabric.knobs().isSet("read");
        Flow flow = new Flow(
                this,
                fabric.host(from),
                fabric.host(to),
                isRead ? WrOpcode.RDMA_READ : WrOpcode.RDMA_WRITE,
                FIRST_SERVICE + flows.size(),
                depth);
        flows.add(flow);
        return flow;
    }

    /** The flows that the knobs ask for: between all places if {@code all_to_all} is set, or else a permutation. */
    void place() {
        if (!fabric.knobs().isSet("all_to_all")) {
            Placement.pairs(fabric).forEach(pair -> add(pair[0], pair[1]));
            return;
        }
        for (int k = 1; k < fabric.places(); k++) {
            for (int from = 0; from < fabric.places(); from++) {
                add(from, (from + k) % fabric.places());
            }
        }
    }

    /** Makes all connections, and lets everything that belongs to that pass. */
    void connect() {
        flows.forEach(Flow::connect);
        if (!world().runUntil(this::areEstablished, LIMIT_NS)) {
            throw new IllegalStateException("connections are not established at " + world().nowNs() + " ns");
        }
        world().run(SETTLE_NS);
        align();
    }

    // Asked before each event: those before one that is not established are not asked again.
    private boolean areEstablished() {
        while (establishedCount < flows.size() && flows.get(establishedCount).isEstablished()) {
            establishedCount++;
        }
        return establishedCount == flows.size();
    }

    /** Lets a little time pass, to an instant that does not depend on the order in which nodes go on. */
    void align() {
        world().runToMultipleOf(ALIGNED_NS);
    }

    /** Every flow begins to write so many messages, each after a delay that its seed draws, up to {@code jitterNs}. */
    void write(long messages, long jitterNs) {
        doneCount = 0;
        ready.clear();
        for (int i = 0; i < flows.size(); i++) {
            Flow flow = flows.get(i);
            long delay = jitterNs == 0
                    ? 0
                    : Math.floorMod(world().seeds().stream("lab.jitter", i).nextLong(), jitterNs);
            if (delay == 0) {
                flow.write(messages);
            } else {
                world().at(world().nowPs() + delay * 1_000, () -> flow.write(messages));
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
