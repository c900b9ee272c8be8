package io.metaroce.tools.peers;

import io.metaroce.tools.CacheLine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Pairs of processes that take turns at the same tests. All are idle but the one whose turn it is. */
final class Contest implements AutoCloseable {
    private static final double GIGABIT = 1e9;
    private static final double MILLION = 1e6;
    private static final double MICROSECOND_NS = 1e3;

    /** How much of it. */
    enum Extent {
        ALL,
        BULK
    }

    /** What is measured. */
    enum Figure {
        GOODPUT("goodput", "Gbit/s", "%.2f"),
        CPU("processor time", "s/GB", "%.3f"),
        RATE("messages of 64 B", "M/s", "%.3f"),
        LATENCY("half round trip of 64 B, median", "us", "%.1f"),
        LATENCY_99("half round trip of 64 B, 99 %", "us", "%.1f");

        final String title;
        final String unit;
        final String format;

        Figure(String title, String unit, String format) {
            this.title = title;
            this.unit = unit;
            this.format = format;
        }
    }

    /** One peer with its two processes. */
    static final class Entrant {
        final Peer peer;
        final PeerProcess far;
        final PeerProcess near;
        final Map<Figure, Samples> samples = new EnumMap<>(Figure.class);

        @Nullable
        String fault; // why it is out

        Entrant(Peer peer, PeerProcess far, PeerProcess near) {
            this.peer = peer;
            this.far = far;
            this.near = near;
        }

        Samples samples(Figure figure) {
            return samples.computeIfAbsent(figure, none -> new Samples());
        }
    }

    private final List<Entrant> entrants = new ArrayList<>();
    private final Consumer<String> progress;

    Contest(Consumer<String> progress) {
        this.progress = progress;
    }

    /** Starts a pair; a peer that cannot start is told of and left out. */
    void enter(Peer peer, List<String> farPrefix, String farHost, List<String> nearPrefix, String nearHost) {
        PeerProcess far = null;
        try {
            far = PeerProcess.serve(farPrefix, peer.name(), farHost);
            PeerProcess near = PeerProcess.drive(nearPrefix, peer.name(), nearHost, far.address());
            entrants.add(new Entrant(peer, far, near));
        } catch (IOException e) {
            progress.accept(peer.name() + " is left out: " + e.getMessage());
            if (far != null) {
                far.close();
            }
        }
    }

    List<Entrant> entrants() {
        return entrants;
    }

    /** Lets each of them run for so long without taking note, since the Java compiler needs its time. */
    void warmUp(Duration time, Extent extent) {
        for (Entrant each : entrants) {
            turn(each, () -> {
                each.near.ask("bulk " + time.toMillis(), "done ");
                if (extent == Extent.ALL) {
                    each.near.ask("small " + time.toMillis(), "done ");
                    each.near.ask("ping " + time.toMillis(), "done ");
                }
            });
        }
    }

    /** One round: each has its turn at each test. */
    void round(Duration time, Extent extent) {
        for (Entrant each : entrants) {
            turn(each, () -> {
                bulk(each, time);
                if (extent == Extent.ALL) {
                    small(each, time);
                    ping(each, time);
                }
            });
        }
    }

    /** Forgets all figures, and lets those that were out try again. */
    void forget() {
        for (Entrant each : entrants) {
            each.samples.clear();
            each.fault = null;
        }
    }

    private interface Turn {
        void run() throws IOException;
    }

    private void turn(Entrant entrant, Turn turn) {
        if (entrant.fault == null) {
            try {
                turn.run();
            } catch (IOException | NumberFormatException e) {
                entrant.fault = String.valueOf(e.getMessage());
                progress.accept(entrant.peer.name() + " is out: " + e.getMessage());
            }
        }
    }

    private static void bulk(Entrant entrant, Duration time) throws IOException {
        CacheLine.Placement before = CacheLine.measure();
        double cpu = entrant.far.cpuSeconds() + entrant.near.cpuSeconds();
        long bytes = counted(entrant);
        double seconds = seconds(entrant.near.ask("bulk " + time.toMillis(), "done "));
        double arrived = counted(entrant) - bytes;
        double used = entrant.far.cpuSeconds() + entrant.near.cpuSeconds() - cpu;
        CacheLine.Placement after = CacheLine.measure();
        entrant.samples(Figure.GOODPUT).add(arrived * Byte.SIZE / seconds / GIGABIT, before, after);
        entrant.samples(Figure.CPU).add(used / Math.max(arrived, 1) * GIGABIT, before, after);
    }

    private static void small(Entrant entrant, Duration time) throws IOException {
        CacheLine.Placement before = CacheLine.measure();
        long bytes = counted(entrant);
        double seconds = seconds(entrant.near.ask("small " + time.toMillis(), "done "));
        double messages = (counted(entrant) - bytes) / (double) Peer.SMALL_BYTES;
        entrant.samples(Figure.RATE).add(messages / seconds / MILLION, before, CacheLine.measure());
    }

    private static void ping(Entrant entrant, Duration time) throws IOException {
        CacheLine.Placement before = CacheLine.measure();
        String[] told = entrant.near.ask("ping " + time.toMillis(), "done ").split(" ", -1);
        CacheLine.Placement after = CacheLine.measure();
        entrant.samples(Figure.LATENCY).add(Double.parseDouble(told[1]) / MICROSECOND_NS, before, after);
        entrant.samples(Figure.LATENCY_99).add(Double.parseDouble(told[2]) / MICROSECOND_NS, before, after);
    }

    private static long counted(Entrant entrant) throws IOException {
        return Long.parseLong(entrant.far.ask("count", "counted "));
    }

    private static double seconds(String told) {
        return Double.parseDouble(told.split(" ", -1)[0]);
    }

    @Override
    public void close() {
        for (Entrant each : entrants) {
            each.near.close();
            each.far.close();
        }
    }
}
