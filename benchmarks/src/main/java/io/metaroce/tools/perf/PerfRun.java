package io.metaroce.tools.perf;

import io.metaroce.tools.CacheLine;
import io.metaroce.tools.ProcessFigures;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One run of a test, on either side. */
public final class PerfRun {
    private static final int SIZE_LOG2_MAX = 23;
    private static final long BUFFER_BYTES = 16L << 20;
    private static final int QUEUE_PAIRS_MAX = 16;
    private static final List<Integer> PAYLOADS = List.of(1024, 2048, 4096, 8192);
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
        CounterRise counters = CounterRise.of(options.counters);
        List<BwResult> bandwidths = new ArrayList<>();
        List<LatResult> latencies = new ArrayList<>();
        boolean isBare = options.output != null || options.jsonStream;
        PerfTable table = new PerfTable(kind, options, isBare ? new PrintWriter(Writer.nullWriter()) : out);
        PerfStream stream = new PerfStream(options.jsonStream ? out : new PrintWriter(Writer.nullWriter()));
        try (PerfClient client = PerfClient.connect(kind, options, server, port)) {
            counters.begin(client.side().endpoint().counters());
            table.begin(client.side(), client.connection());
            stream.begin(kind, options, before, client);
            Intervals intervals = new Intervals(intervalNs(), row -> {
                table.interval(row);
                stream.interval(row);
            });
            ProcessFigures.Garbage garbage = ProcessFigures.Garbage.now();
            for (long size : sizes(kind, options)) {
                if (kind.isBandwidth()) {
                    BwResult result = client.bandwidth(size, intervals);
                    bandwidths.add(result);
                    table.row(result);
                } else {
                    LatResult result = client.latency(size);
                    latencies.add(result);
                    table.row(result);
                }
            }
            ProcessFigures.Garbage pauses = ProcessFigures.Garbage.now().since(garbage);
            table.end(before, CacheLine.measure(), pauses, client.connection(), bandwidths, latencies);
            counters.print(isBare ? new PrintWriter(Writer.nullWriter()) : out);
            stream.end(options, bandwidths, latencies);
            bare(bandwidths, latencies);
            Path file =
                    options.jsonFile != null ? options.jsonFile : options.json ? Path.of("perftest_out.json") : null;
            if (file != null) {
                PerfJson.write(file, kind, options, before, client, bandwidths, latencies);
            }
        }
        return allRight(bandwidths, latencies) && reachesLimits(bandwidths) ? 0 : 1;
    }

    private long intervalNs() {
        return options.interval == null ? 0 : options.interval.duration().toNanos();
    }

    /** The one number that {@code --output} asks for, of each size. */
    private void bare(List<BwResult> bandwidths, List<LatResult> latencies) {
        PerfOptions.Output wanted = options.output;
        if (wanted == null) {
            return;
        }
        for (BwResult r : bandwidths) {
            double bandwidth = options.gbits ? r.gbitsPerSecond() : r.mibPerSecond();
            number(wanted == PerfOptions.Output.MESSAGE_RATE ? r.messageRate() : bandwidth);
        }
        for (LatResult r : latencies) {
            number(LatResult.micros(r.tookNs(), 50));
        }
    }

    private void number(double value) {
        out.println(String.format(Locale.ROOT, "%.6f", value));
        out.flush();
    }

    private boolean reachesLimits(List<BwResult> bandwidths) {
        boolean reached = true;
        for (BwResult r : bandwidths) {
            reached &= reaches("-w", r.gbitsPerSecond(), options.bandwidthMin, "Gb/s");
            reached &= reaches("-y", r.messageRate(), options.messageRateMin, "Mpps");
        }
        return reached;
    }

    private boolean reaches(String option, double measured, double limit, String unit) {
        if (measured >= limit) {
            return true;
        }
        out.println(String.format(Locale.ROOT, "%.6f %s is below the limit %s %s", measured, unit, option, limit));
        out.flush();
        return false;
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
        limit("-T", options.tos, 0, 255);
        if (!PAYLOADS.contains(options.payload)) {
            throw new IllegalArgumentException("-m " + options.payload + " is none of " + PAYLOADS);
        }
        limit("-i (ports are planes here, given by --bind_source_ip)", options.port1, 1, 1);
        limit("-Q", options.moderation, 1, kind.isBandwidth() ? options.depthOf(kind) : 1);
        checkKind();
        if (!kind.isBandwidth() && options.queuePairs != 1) {
            throw new IllegalArgumentException("-q " + options.queuePairs + ": latency is measured on one queue pair");
        }
    }

    private void checkKind() {
        if (!options.connection.equalsIgnoreCase("RC")) {
            throw new IllegalArgumentException(
                    "-c " + options.connection + ": there are reliable connections (RC) only");
        }
        if (!kind.isBandwidth() && options.bidirectional) {
            throw new IllegalArgumentException("-b: latency is measured one way at a time");
        }
        if (kind == PerfKind.ATOMIC_LAT && (options.all || options.sizeOf(kind) != Long.BYTES)) {
            throw new IllegalArgumentException("-s, -a: atomics are of 8 bytes");
        }
        if (options.output != null && kind.isBandwidth() == (options.output == PerfOptions.Output.LATENCY)) {
            throw new IllegalArgumentException("--output " + options.output + " is not what this test measures");
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
