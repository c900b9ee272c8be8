package io.metaroce.tools.stat;

import io.metaroce.observe.ConnectionRow;
import io.metaroce.observe.PathRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An endpoint as lines of text: counters with their rates since the last look, connections, paths. */
public final class StatScreen {
    private static final double NS_PER_SECOND = 1e9;

    private StatScreen() {}

    /**
     * The lines.
     *
     * @param before the look before, or null at the first one: then there are no rates yet
     */
    public static List<String> lines(@Nullable Snapshot before, Snapshot now) {
        double seconds = before == null ? 0 : (now.timeNs() - before.timeNs()) / NS_PER_SECOND;
        List<String> lines = new ArrayList<>();
        lines.add("endpoint " + now.address());
        lines.add("");
        lines.add(format("%-32s %18s %14s", "COUNTER", "total", "per second"));
        counters(lines, before == null ? Map.of() : before.counters(), now.counters(), "", seconds);
        counters(lines, before == null ? Map.of() : before.drops(), now.drops(), "dropped: ", seconds);
        if (!now.connections().isEmpty()) {
            lines.add("");
            lines.add(format(
                    "%-10s %-12s %10s %10s %14s %14s %8s",
                    "CONNECTION", "state", "window", "in flight", "hint", "paced", "payload"));
            now.connections().forEach(row -> lines.add(connection(row)));
            lines.add("");
            lines.add(format(
                    "%-10s %4s %-10s %5s %7s %10s %10s %10s %12s %10s %8s",
                    "PATHS OF",
                    "path",
                    "state",
                    "plane",
                    "entropy",
                    "rtt us",
                    "window",
                    "in flight",
                    "sent/s",
                    "resent/s",
                    "marks/s"));
            Map<String, PathRow> old = new TreeMap<>();
            if (before != null) {
                before.paths().forEach(row -> old.put(row.connection() + row.path(), row));
            }
            now.paths().forEach(row -> lines.add(path(old.get(row.connection() + row.path()), row, seconds)));
        }
        return lines;
    }

    private static void counters(
            List<String> lines, Map<String, Long> before, Map<String, Long> now, String prefix, double seconds) {
        now.forEach((name, total) -> {
            if (total != 0) {
                long rise = total - before.getOrDefault(name, 0L);
                lines.add(format("%-32s %,18d %14s", prefix + name, total, rate(rise, seconds)));
            }
        });
    }

    private static String connection(ConnectionRow row) {
        return format(
                "%-10s %-12s %10s %10s %14s %14s %8d",
                row.connection(),
                row.state(),
                size(row.windowBytes()),
                size(row.inFlightBytes()),
                gbits(row.hintBytesPerSecond()),
                gbits(row.pacedBytesPerSecond()),
                row.payloadBytes());
    }

    private static String path(@Nullable PathRow before, PathRow row, double seconds) {
        double since = before == null ? 0 : seconds;
        return format(
                "%-10s %4d %-10s %5d %7s %10.1f %10s %10s %12s %10s %8s",
                row.connection(),
                row.path(),
                row.state(),
                row.plane(),
                row.entropy() + (row.borrowed() ? "*" : ""),
                row.rttNs() / 1e3,
                size(row.windowBytes()),
                size(row.inFlightBytes()),
                rate(before == null ? 0 : row.sent() - before.sent(), since),
                rate(before == null ? 0 : row.resent() - before.resent(), since),
                rate(before == null ? 0 : row.marks() - before.marks(), since));
    }

    private static String rate(long rise, double seconds) {
        return seconds <= 0 ? "-" : format("%,.0f", rise / seconds);
    }

    private static String gbits(long bytesPerSecond) {
        return format("%.3f Gb/s", bytesPerSecond * 8 / 1e9);
    }

    private static String size(long bytes) {
        if (bytes < 10_240) {
            return Long.toString(bytes);
        }
        return bytes < 10 << 20 ? bytes / 1024 + "K" : (bytes >> 20) + "M";
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values).stripTrailing();
    }
}
