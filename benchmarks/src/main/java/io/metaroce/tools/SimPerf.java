package io.metaroce.tools;

import com.sun.management.ThreadMXBean;
import io.metaroce.sim.light.FabricLoad;
import io.metaroce.tools.lab.EngineLoad;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How fast the simulator itself is: events per second of processor time, beside a loop of known work. */
@Command(
        name = "perf",
        description = "Measures the fabric alone, or with the real engine on every host: 64 hosts at 400 Gbit/s under 8"
                + " leaves and 8 spines, each sending to another. Divides by processor time of the thread; wall time is"
                + " never used.",
        mixinStandardHelpOptions = true)
final class SimPerf implements Callable<Integer> {
    private static final int CHASE_WORDS = 1 << 16; // 256 KiB
    private static final int CHASE_STEPS = 10_000_000;
    private static final int WIDE_STEPS = 3_000_000;
    private static final int NOISY_PERCENT = 10;
    private static final int HOLD_LEAST = 100;
    private static final int HOLD_MOST = 1_000_000;
    private static final int HOLDS = 500_000;

    @Option(
            names = "--hold",
            description = "Measures the choice of the next event instead: taken and put back, by the tournament of the"
                    + " simulator and by a plain heap, with 100 to 1,000,000 events pending.")
    private boolean isHold;

    @Option(names = "--packets", defaultValue = "8192", description = "Packets a host sends, a multiple of 4.")
    private long packets;

    @Option(names = "--engine", description = "With the real engine; payload takes time and is not carried.")
    private boolean isEngine;

    @Option(names = "--all-to-all", description = "With --engine: every host writes to all others, 4,032 connections.")
    private boolean isAllToAll;

    @Option(names = "--copy", description = "With --engine: all payload is carried, checked and placed.")
    private boolean copiesPayload;

    @Option(names = "--messages", defaultValue = "16", description = "With --engine: messages of 1 MiB a connection.")
    private long messages;

    @Option(names = "--runs", defaultValue = "5", description = "Measured runs (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(names = "--warm-ups", defaultValue = "3", description = "Runs before these (default: ${DEFAULT-VALUE}).")
    private int warmUps;

    @Option(names = "--seed", defaultValue = "1", description = "Seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Mixin
    private JsonFile jsonFile = new JsonFile();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private long bytesOfEnd;

    /** One run. */
    private record Run(long events, long packets, long cpuNs, long allocatedBytes, long traceHash) {
        long eventsPerSecond() {
            return perSecond(events);
        }

        long packetsPerSecond() {
            return perSecond(packets);
        }

        private long perSecond(long count) {
            return count * 1_000_000 / Math.max(1, cpuNs / 1_000);
        }
    }

    @Override
    public Integer call() throws IOException {
        if (packets < 4 || packets % 4 != 0 || runs < 1 || messages < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--packets must be a multiple of 4, --runs and --messages at least 1");
        }
        if (isHold) {
            hold();
            return 0;
        }
        for (int i = 0; i < warmUps; i++) {
            run();
            calibrate();
            calibrateWide();
        }
        List<Run> measured = new ArrayList<>();
        long before = calibrate();
        long[] wide = new long[runs];
        for (int i = 0; i < runs; i++) {
            wide[i] = calibrateWide();
            measured.add(run());
        }
        long after = calibrate();
        measured.sort(Comparator.comparingLong(Run::eventsPerSecond));
        Arrays.sort(wide);
        report(measured, before, after, wide);
        return 0;
    }

    private Run run() throws IOException {
        if (isEngine) {
            EngineLoad load = new EngineLoad(seed, messages, isAllToAll, copiesPayload);
            bytesOfEnd = load.bytesOfEnd();
            long before = load.events();
            return measure(load::run, () -> load.events() - before, load::packets, load::traceHash);
        }
        FabricLoad load = new FabricLoad(seed, packets);
        return measure(
                load::run,
                () -> load.world().events(),
                load::packets,
                () -> load.world().trace().value());
    }

    private void hold() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Map<Integer, long[]> all = new LinkedHashMap<>();
        for (int pending = HOLD_LEAST; pending <= HOLD_MOST; pending *= 10) {
            long[] ps = {HoldLoad.treePs(pending, HOLDS), HoldLoad.heapPs(pending, HOLDS)};
            all.put(pending, ps);
            out.printf(
                    Locale.ROOT,
                    "hold, %7d pending: tournament %.1f ns, heap %.1f ns of processor time%n",
                    pending,
                    ps[0] / 1e3,
                    ps[1] / 1e3);
        }
        long calibration = calibrate();
        out.printf(Locale.ROOT, "calibration: %.3f ns a step%n", calibration / 1e3);
        out.flush();
        jsonFile.write(root -> {
            root.put("load", "hold").put("calibration_psec", calibration);
            all.forEach((pending, ps) ->
                    root.put("tournament_psec_" + pending, ps[0]).put("heap_psec_" + pending, ps[1]));
        });
    }

    private static Run measure(Runnable load, LongSupplier events, LongSupplier packets, LongSupplier trace) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = threads.getCurrentThreadAllocatedBytes();
        long ns = threads.getCurrentThreadCpuTime();
        load.run();
        ns = threads.getCurrentThreadCpuTime() - ns;
        bytes = threads.getCurrentThreadAllocatedBytes() - bytes;
        return new Run(events.getAsLong(), packets.getAsLong(), ns, bytes, trace.getAsLong());
    }

    // Integer mixing and a chase through 256 KiB; ps of processor time a step.
    private static long calibrate() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int[] next = new int[CHASE_WORDS];
        for (int i = 0; i < next.length; i++) {
            next[i] = (i * 40_503 + 12_345) & (CHASE_WORDS - 1);
        }
        long ns = threads.getCurrentThreadCpuTime();
        int at = 0;
        long hash = 1;
        for (int i = 0; i < CHASE_STEPS; i++) {
            at = next[at];
            hash = (hash ^ at) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        ns = threads.getCurrentThreadCpuTime() - ns;
        return hash == 0 ? 0 : ns * 1_000 / CHASE_STEPS; // the hash is used, so the loop is not removed
    }

    // Six chains of additions that need not wait for each other; ps of processor time a step. Who shares the execution
    // units of this processor slows these down and the engine as much; the loop above only waits, and does not show it.
    private static long calibrateWide() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long ns = threads.getCurrentThreadCpuTime();
        long a = 1;
        long b = 2;
        long c = 3;
        long d = 4;
        long e = 5;
        long f = 6;
        for (int i = 0; i < WIDE_STEPS; i++) {
            a = (a ^ i) + (a << 3);
            b = (b ^ i) + (b >>> 5);
            c = (c + i) ^ (c << 7);
            d = (d - i) ^ (d >>> 3);
            e = (e ^ i) + (e << 2);
            f = (f + i) ^ (f >>> 9);
        }
        ns = threads.getCurrentThreadCpuTime() - ns;
        return a + b + c + d + e + f == 0
                ? 0
                : ns * 1_000 / WIDE_STEPS; // the sums are used, so the loop is not removed
    }

    private void report(List<Run> sorted, long before, long after, long[] wide) throws IOException {
        Run median = sorted.get(sorted.size() / 2);
        boolean isNoisy = 100 * Math.abs(before - after) > NOISY_PERCENT * Math.min(before, after);
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%s: %.2f M events/s of processor time, median of %d (%.2f to %.2f); %.3f M data packets/s; %d events,"
                        + " %d data packets, %.3f bytes allocated an event%n",
                isEngine ? "engine" : "fabric",
                median.eventsPerSecond() / 1e6,
                sorted.size(),
                sorted.get(0).eventsPerSecond() / 1e6,
                sorted.get(sorted.size() - 1).eventsPerSecond() / 1e6,
                median.packetsPerSecond() / 1e6,
                median.events(),
                median.packets(),
                (double) median.allocatedBytes() / median.events());
        if (isEngine) {
            out.printf(Locale.ROOT, "state: %d bytes of heap an end of a connection, 32 paths%n", bytesOfEnd);
        }
        out.printf(
                Locale.ROOT,
                "calibration: %.3f ns a step before, %.3f after%s; %.2f to %.2f ns a wide step; trace %016x%n",
                before / 1e3,
                after / 1e3,
                isNoisy ? " (noisy)" : "",
                wide[0] / 1e3,
                wide[wide.length - 1] / 1e3,
                median.traceHash());
        out.flush();
        jsonFile.write(root -> root.put("load", isEngine ? "engine" : "fabric")
                .put("packets_per_second", median.packetsPerSecond())
                .put("events_per_second", median.eventsPerSecond())
                .put("events_per_second_min", sorted.get(0).eventsPerSecond())
                .put("events_per_second_max", sorted.get(sorted.size() - 1).eventsPerSecond())
                .put("events", median.events())
                .put("packets", median.packets())
                .put("bytes_of_connection_end", bytesOfEnd)
                .put("allocated_bytes", median.allocatedBytes())
                .put("calibration_before_psec", before)
                .put("calibration_after_psec", after)
                .put("wide_psec_min", wide[0])
                .put("wide_psec_max", wide[wide.length - 1])
                .put("noisy", isNoisy)
                .put("trace", String.format(Locale.ROOT, "%016x", median.traceHash())));
    }
}
