package io.metaroce.tools.lab;

import io.metaroce.engine.PathView;
import java.util.Map;

/**
 * The loads the speed of fabric and engine together is measured with, messages of 1 MiB between 64 hosts under 8 leaves
 * and 8 spines: each writes to one under another leaf at 400 Gbit/s, or each to all others, which takes 4,032
 * connections, at 100 Gbit/s.
 */
public final class EngineLoad {
    private static final Knobs KNOBS = new Knobs(Map.ofEntries(
            Map.entry("leaves", 8L),
            Map.entry("spines", 8L),
            Map.entry("hosts_per_leaf", 8L),
            Map.entry("planes", 1L),
            Map.entry("rate_gbit", 400L),
            Map.entry("delay_ns", 1_000L),
            Map.entry("buffer_bytes", 2_000_000L),
            Map.entry("ecn_kmin_bytes", 80_000L),
            Map.entry("ecn_kmax_bytes", 320_000L)));
    private static final Knobs ALL_TO_ALL = new Knobs(Map.ofEntries(
            Map.entry("all_to_all", 1L),
            Map.entry("rate_gbit", 100L),
            Map.entry("buffer_bytes", 500_000L),
            Map.entry("ecn_kmin_bytes", 20_000L),
            Map.entry("ecn_kmax_bytes", 80_000L)));
    private static final int COLLECTIONS = 2;
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final int OUTSTANDING = 8;

    private final LabFabric fabric;
    private final Traffic traffic;
    private final long messages;
    private final long bytesOfEnd;

    /**
     * Builds it and makes its connections; so many messages of 1 MiB will be written over each.
     *
     * @param isAllToAll whether every host writes to all others, or to one
     * @param copiesPayload whether every byte of payload is carried, checked and placed, or takes time alone
     */
    public EngineLoad(long seed, long messages, boolean isAllToAll, boolean copiesPayload) {
        this.messages = messages;
        Knobs knobs = isAllToAll ? KNOBS.with(ALL_TO_ALL) : KNOBS;
        fabric = new LabFabric(knobs.with(new Knobs(Map.of("copy_payload", copiesPayload ? 1L : 0L))), seed);
        traffic = new Traffic(fabric, MESSAGE_BYTES, OUTSTANDING);
        traffic.place();
        long before = heapBytes();
        traffic.connect();
        bytesOfEnd = (heapBytes() - before) / (2L * traffic.flows().size());
    }

    /**
     * What the heap holds more for each end of a connection once all are made, in bytes: all its state, without queues
     * of the application, packets and slots, which are there before.
     */
    public long bytesOfEnd() {
        return bytesOfEnd;
    }

    private static long heapBytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Runs it to its end. */
    public void run() {
        traffic.write(messages, 0);
        traffic.complete();
    }

    /** Events worked off so far. */
    public long events() {
        return fabric.world().events();
    }

    /** Packets of data sent so far. */
    public long packets() {
        return traffic.paths().stream().mapToLong(PathView::sentPackets).sum();
    }

    /** The trace hash so far. */
    public long traceHash() {
        return fabric.world().trace().value();
    }
}
