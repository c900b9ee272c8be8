package io.metaroce.tools.perf;

import io.metaroce.engine.PathView;
import io.metaroce.tools.CacheLine;
import io.metaroce.tools.ProcessFigures;
import io.metaroce.verbs.Connection;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Prints in the layout of perftest, so that eyes and scripts that know it find what they look for. */
final class PerfTable {
    private static final String DASHES = "-".repeat(87);

    private final PerfKind kind;
    private final PerfOptions options;
    private final PrintWriter out;

    PerfTable(PerfKind kind, PerfOptions options, PrintWriter out) {
        this.kind = kind;
        this.options = options;
        this.out = out;
    }

    void begin(Side side, Connection connection) {
        line(DASHES);
        line("%20s%s", "", kind.title());
        line(
                " Dual-port       : OFF          Device         : udp (%s)",
                side.endpoint().capabilities().engine());
        line(" Number of qps   : %-12d Transport type : MetaRoCE", options.queuePairs);
        line(" Connection type : RC           Using SRQ      : %s", word(options.sharedReceives));
        line(" TX depth        : %d", options.depthOf(kind));
        line(" CQ Moderation   : %d", options.moderation);
        line(" Mtu             : %d[B]", options.payload);
        line(" Link type       : Ethernet");
        line(" Max inline data : %d[B]", options.inline);
        line(" rdma_cm QPs     : ON");
        line(" Data ex. method : rdma_cm");
        line(
                " Paths           : %d           Burst          : %d",
                options.paths, side.endpoint().config().scheduler().burstPackets());
        line(
                " Segmentation    : %s   Coalescing : %s",
                word(side.endpoint().capabilities().segmentation().isOn()),
                word(side.endpoint().capabilities().coalescing().isOn()));
        line(
                " Faults          : loss %.3f%%, reorder %.3f%%, duplicate %.3f%% of the packets of each side, seed %d",
                options.loss.value() * 100,
                options.reorder.value() * 100,
                options.duplicate.value() * 100,
                options.seed);
        line(DASHES);
        line(
                " local address: %s QPN %#06x",
                side.endpoint().localAddress(), side.data(0).qpNumber());
        line(" remote address: %s", connection.peer());
        line(DASHES);
        if (kind.isBandwidth()) {
            String unit = options.gbits ? "Gb/sec" : "MiB/sec";
            line(
                    " #bytes     #iterations    BW peak[%s]    BW average[%s]   MsgRate[Mpps]%s",
                    unit, unit, options.cpu ? "   CPU_Util[%]" : "");
        } else {
            line(
                    " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]"
                            + "   99%% percentile[usec]   99.9%% percentile[usec]%s",
                    options.cpu ? "   CPU_Util[%]" : "");
        }
        out.flush();
    }

    void row(BwResult r) {
        line(
                " %-10d %-14d %-18.2f %-18.2f %.6f%s",
                r.size(),
                r.iterations(),
                options.gbits ? r.peakGbitsPerSecond() : r.peakMibPerSecond(),
                options.gbits ? r.gbitsPerSecond() : r.mibPerSecond(),
                r.messageRate(),
                cpu(r.cpuPercent()));
        out.flush();
    }

    /** A row of one interval, indented so that scripts that look for results pass over it. */
    void interval(Intervals.Row row) {
        line(
                "   %8.3f-%-8.3f s  %10.2f %s  %d resent",
                row.fromSeconds(),
                row.toSeconds(),
                options.gbits ? row.gbitsPerSecond() : row.mibPerSecond(),
                options.gbits ? "Gb/sec" : "MiB/sec",
                row.resent());
        out.flush();
    }

    private String cpu(double percent) {
        return options.cpu ? String.format(Locale.ROOT, "            %.2f", percent) : "";
    }

    void row(LatResult r) {
        row(r.size(), r.tookNs(), cpu(r.cpuPercent()));
        line(" bare UDP echo of the same size, same run:");
        row(r.size(), r.bareNs(), "");
        if (options.histogram) {
            distribution(r.tookNs());
        }
        out.flush();
    }

    void end(
            CacheLine.Placement before,
            CacheLine.Placement after,
            ProcessFigures.Garbage garbage,
            Connection connection,
            List<BwResult> bandwidths,
            List<LatResult> latencies) {
        line(DASHES);
        for (BwResult r : bandwidths) {
            line(
                    " %d bytes: %d packets, %d resent (%.3f%%), %d duplicates at the receiver, %d messages wrong, %s",
                    r.size(),
                    r.sentPackets(),
                    r.retransmits(),
                    r.sentPackets() == 0 ? 0.0 : 100.0 * r.retransmits() / r.sentPackets(),
                    r.report().duplicates(),
                    r.report().wrongMessages(),
                    options.validate
                            ? r.report().verifiedBytes() + " bytes compared"
                            : "contents not compared (--data_validation)");
        }
        for (LatResult r : latencies) {
            line(
                    " %d bytes: %s median %.2f us, bare UDP %.2f us, %d messages wrong",
                    r.size(),
                    kind.roundTrip(),
                    LatResult.micros(r.tookNs(), 50),
                    LatResult.micros(r.bareNs(), 50),
                    r.report().wrongMessages());
        }
        List<PathView> paths = connection.paths();
        line(" packets per path: %s", perPath(paths, PathView::sentPackets));
        if (paths.stream().anyMatch(path -> path.marks() > 0)) {
            line(" marks per path: %s", perPath(paths, PathView::marks));
            line(" window per path[KiB]: %s", perPath(paths, path -> path.windowBytes() >> 10));
        }
        line(" garbage collection of this side: %s", garbage);
        line(" processors: %s before, %s after", before, after);
        line(DASHES);
        out.flush();
    }

    /** The distribution in microseconds, as HdrHistogram prints it; each round begins when the one before has ended. */
    private void distribution(Histogram h) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream to = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
            h.outputPercentileDistribution(to, 5, 1e3);
        }
        out.print(bytes.toString(StandardCharsets.UTF_8));
    }

    private void row(long size, Histogram h, String more) {
        line(
                " %-6d %-14d %-14.2f %-14.2f %-16.2f %-14.2f %-16.2f %-22.2f %.2f%s",
                size,
                h.getTotalCount(),
                h.getMinValue() / 1e3,
                h.getMaxValue() / 1e3,
                LatResult.micros(h, 50),
                h.getMean() / 1e3,
                h.getStdDeviation() / 1e3,
                LatResult.micros(h, 99),
                LatResult.micros(h, 99.9),
                more);
    }

    private static String perPath(List<PathView> paths, ToLongFunction<PathView> figure) {
        return paths.stream()
                .map(path -> Long.toString(figure.applyAsLong(path)))
                .collect(Collectors.joining(" "));
    }

    private static String word(boolean on) {
        return on ? "on" : "off";
    }

    private void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
