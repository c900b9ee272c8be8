package io.metaroce.tools.perf;

import io.metaroce.tools.CacheLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One run of a test, on either side. */
public final class PerfRun {
    private static final int SIZE_LOG2_MAX = 23;
    private static final long BUFFER_BYTES = 16L << 20;
    private static final int QUEUE_PAIRS_MAX = 16;
    private static final int STOCK = 64;

    private final PerfKind kind;
    private final PerfOptions options;
    private final PrintWriter out;

    /** A run that prints to {@code out}. */
    public PerfRun(PerfKind kind, PerfOptions options, PrintWriter out) {
        this.kind = kind;
        this.options = options;
        this.out = out;
        check();
    }

    /** Waits for a client and serves it; the exit code. */
    public int serve() throws IOException {
        return new PerfServer(kind, options, out).serve() ? 0 : 1;
    }

    /** Connects to a server and measures; the exit code. */
    public int measure(String server, int port) throws IOException {
        CacheLine.Placement before = CacheLine.measure();
        List<BwResult> bandwidths = new ArrayList<>();
        List<LatResult> latencies = new ArrayList<>();
        PerfTable table = new PerfTable(kind, options, out);
        try (PerfClient client = PerfClient.connect(kind, options, server, port)) {
            table.begin(client.side(), client.connection());
            for (long size : sizes(kind, options)) {
                if (kind.isBandwidth()) {
                    BwResult result = client.bandwidth(size);
                    bandwidths.add(result);
                    table.row(result);
                } else {
                    LatResult result = client.latency(size);
                    latencies.add(result);
                    table.row(result);
                }
            }
            table.end(before, CacheLine.measure(), client.connection(), bandwidths, latencies);
            Path file =
                    options.jsonFile != null ? options.jsonFile : options.json ? Path.of("perftest_out.json") : null;
            if (file != null) {
                PerfJson.write(file, kind, options, before, client, bandwidths, latencies);
            }
        }
        return allRight(bandwidths, latencies) ? 0 : 1;
    }

    static List<Long> sizes(PerfKind kind, PerfOptions options) {
        List<Long> sizes = new ArrayList<>();
        if (options.all) {
            for (int log2 = 1; log2 <= SIZE_LOG2_MAX; log2++) {
                sizes.add(1L << log2);
            }
        } else {
            sizes.add(options.sizeOf(kind));
        }
        return sizes;
    }

    static long sizeMax(PerfKind kind, PerfOptions options) {
        List<Long> sizes = sizes(kind, options);
        return sizes.get(sizes.size() - 1);
    }

    /** Messages a receive buffer holds: as deep as the queue, but no more memory than the caches can help with. */
    static int slots(PerfKind kind, PerfOptions options) {
        long fitting = BUFFER_BYTES / Math.max(sizeMax(kind, options), 1);
        // One message at a time still wants receives in stock: else each has to be announced before the answer leaves.
        int wanted = kind.isBandwidth() ? options.depthOf(kind) : Math.max(options.depthOf(kind), STOCK);
        return (int) Math.max(Math.min(wanted, fitting), 2);
    }

    private void check() {
        limit("-q", options.queuePairs, 1, QUEUE_PAIRS_MAX);
        limit("-t", options.depthOf(kind), 1, 8192);
        limit("-s", options.sizeOf(kind), 0, Integer.MAX_VALUE - 8192);
        limit("--paths", options.paths, 1, 254);
        if (!kind.isBandwidth() && options.queuePairs != 1) {
            throw new IllegalArgumentException("-q " + options.queuePairs + ": latency is measured on one queue pair");
        }
    }

    private static void limit(String option, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(option + " " + value + " is outside " + low + ".." + high);
        }
    }

    private static boolean allRight(List<BwResult> bandwidths, List<LatResult> latencies) {
        return bandwidths.stream().allMatch(r -> r.report().wrongMessages() == 0)
                && latencies.stream().allMatch(r -> r.report().wrongMessages() == 0);
    }
}
