package io.metaroce.tools.lab;

import io.metaroce.engine.PathView;
import java.io.IOException;
import java.util.Map;

/**
 * The loads the speed of fabric and engine together is measured with, messages of 1 MiB between 64 hosts under 8 leaves
 * and 8 spines: each writes to one under another leaf at 400 Gbit/s (profile A), or each to all others, which takes
 * 4,032 connections, at 100 Gbit/s (profile C).
 */
public final class EngineLoad {
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
    public EngineLoad(long seed, long messages, boolean isAllToAll, boolean copiesPayload) throws IOException {
        this.messages = messages;
        Knobs load = new Knobs(Map.of("all_to_all", isAllToAll ? 1L : 0L, "copy_payload", copiesPayload ? 1L : 0L));
        fabric = new LabFabric(Scenario.profile(isAllToAll ? "C" : "A").with(load), seed);
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
