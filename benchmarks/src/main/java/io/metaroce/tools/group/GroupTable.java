package io.metaroce.tools.group;

import io.metaroce.collective.Collective;
import io.metaroce.collective.Task;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Prints in the layout of nccl-tests. */
public final class GroupTable {
    private final PrintWriter out;
    private final GroupOptions options;

    /** A table on this screen. */
    public GroupTable(PrintWriter out, GroupOptions options) {
        this.out = out;
        this.options = options;
    }

    void begin(Task task, List<String> addresses) {
        line(
                "# nRanks %d minBytes %d maxBytes %d step: %d(factor) warmup iters: %d iters: %d validation: 1",
                task.ranks(),
                options.minBytes.bytes(),
                options.maxBytes.bytes(),
                options.factor,
                options.warmUp,
                options.iterations);
        line(
                "# algorithm: %s loss: %s%% of the packets of each rank; time is that of the slowest rank",
                word(task.how()), options.loss.value() * 100);
        line("#");
        line("# Using devices");
        for (int rank = 0; rank < addresses.size(); rank++) {
            line("#  Rank %2d udp %s", rank, addresses.get(rank));
        }
        line("#");
        line("# %59s%28s", "", task.what() == Collective.ALL_TO_ALL ? "out-of-place" : "in-place");
        line(
                "# %10s  %12s  %8s  %6s  %6s  %7s  %6s  %6s  %5s",
                "size", "count", "type", "redop", "root", "time", "algbw", "busbw", "#wrong");
        line("# %10s  %12s  %8s  %6s  %6s  %7s  %6s  %6s", "(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)");
    }

    void row(Row row) {
        boolean isReduction = row.task().what() == Collective.ALL_REDUCE;
        line(
                "%12d  %12d  %8s  %6s  %6d  %7.1f  %6.2f  %6.2f  %5d",
                row.task().bytes(),
                row.count(),
                options.type,
                isReduction ? word(options.reduction) : "none",
                -1,
                row.timeNs() / 1e3,
                row.algorithmBandwidth(),
                row.busBandwidth(),
                row.wrong());
    }

    void end(List<Row> rows, long resent) {
        long wrong = rows.stream().mapToLong(Row::wrong).sum();
        line("# Out of bounds values : %d %s", wrong, wrong == 0 ? "OK" : "FAILED");
        line("# Avg bus bandwidth    : %.4f", average(rows));
        line("# Resent by rank 0     : %d packets", resent);
    }

    /** Mean bus bandwidth of all sizes, in GB/s. */
    public static double average(List<Row> rows) {
        return rows.stream().mapToDouble(Row::busBandwidth).average().orElse(0);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private void line(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
        out.flush();
    }
}
