package io.metaroce.tools.lab;

import io.metaroce.engine.PathView;
import java.util.Map;

/**
 * The load the speed of fabric and engine together is measured with: 64 hosts at 400 Gbit/s, each writing to one under
 * another leaf.
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
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final int OUTSTANDING = 8;

    private final LabFabric fabric;
    private final Traffic traffic;
    private final long messages;

    /**
     * Builds it and makes its connections; each host will write so many messages of 1 MiB.
     *
     * @param copiesPayload whether every byte of payload is carried, checked and placed, or takes time alone
     */
    public EngineLoad(long seed, long messages, boolean copiesPayload) {
        this.messages = messages;
        fabric = new LabFabric(KNOBS.with(new Knobs(Map.of("copy_payload", copiesPayload ? 1L : 0L))), seed);
        traffic = new Traffic(fabric, MESSAGE_BYTES, OUTSTANDING);
        traffic.place();
        traffic.connect();
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
