package io.metaroce.tools.peers;

import io.metaroce.tools.CacheLine;
import io.metaroce.tools.peers.Contender.Reading;
import io.metaroce.tools.peers.Contender.Test;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Consumer;

/** All who take part, taking turns at the same tests. All are idle but the one whose turn it is. */
final class Contest implements AutoCloseable {
    private static final double GIGABIT = 1e9;
    private static final double MILLION = 1e6;
    private static final double MICROSECOND_NS = 1e3;

    /** What is shown. */
    enum Figure {
        GOODPUT("goodput", "Gbit/s", "%.3f"),
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

    /** One who takes part, and what became of it. */
    static final class Entrant {
        final String name;
        final Contender contender;
        final Map<Figure, Samples> samples = new EnumMap<>(Figure.class);
        String fault = ""; // why it is out

        Entrant(String name, Contender contender) {
            this.name = name;
            this.contender = contender;
        }

        Samples samples(Figure figure) {
            return samples.computeIfAbsent(figure, none -> new Samples());
        }
    }

    private final List<Entrant> entrants = new ArrayList<>();
    private final List<Test> tests;
    private final Consumer<String> progress;

    Contest(List<Test> tests, Consumer<String> progress) {
        this.tests = List.copyOf(tests);
        this.progress = progress;
    }

    /** Makes one ready; who cannot start is told of and left out. */
    void enter(Candidate candidate, Place far, Place near) {
        try {
            entrants.add(new Entrant(candidate.name(), candidate.enter(far, near)));
        } catch (IOException e) {
            progress.accept(candidate.name() + " is left out: " + e.getMessage());
        }
    }

    List<Entrant> entrants() {
        return entrants;
    }

    /** Lets each of them run for so long without taking note, since the Java compiler needs its time. */
    void warmUp(Duration time) {
        for (Entrant each : entrants) {
            turn(each, test -> each.contender.warmUp(test, time));
        }
    }

    /** One round: each has its turn at each test. */
    void round(String title, Duration time) {
        for (Entrant each : entrants) {
            StringJoiner told = new StringJoiner(", ", title + ": " + each.name + " ", "");
            told.setEmptyValue("");
            turn(each, test -> told.add(take(each, test, time)));
            if (told.length() > 0) {
                progress.accept(told.toString());
            }
        }
    }

    /** Forgets all figures, and lets those that were out try again. */
    void forget() {
        for (Entrant each : entrants) {
            each.samples.clear();
            each.contender.forget();
            each.fault = "";
        }
    }

    private interface Turn {
        void at(Test test) throws IOException;
    }

    private void turn(Entrant entrant, Turn turn) {
        for (Test test : tests) {
            if (!entrant.fault.isEmpty() || !entrant.contender.has(test)) {
                continue;
            }
            try {
                turn.at(test);
            } catch (IOException | NumberFormatException e) {
                entrant.fault = String.valueOf(e.getMessage());
                progress.accept(entrant.name + " is out: " + entrant.fault);
            }
        }
    }

    /** One sample, and what to say of it. */
    private static String take(Entrant entrant, Test test, Duration time) throws IOException {
        CacheLine.Placement before = CacheLine.measure();
        Reading reading = entrant.contender.take(test, time);
        CacheLine.Placement after = CacheLine.measure();
        Map<Figure, Double> values = new EnumMap<>(Figure.class);
        switch (test) {
            case BULK -> {
                values.put(Figure.GOODPUT, reading.bytes() * Byte.SIZE / reading.seconds() / GIGABIT);
                values.put(Figure.CPU, reading.cpuSeconds() / Math.max(reading.bytes(), 1) * GIGABIT);
            }
            case SMALL -> values.put(Figure.RATE, reading.bytes() / Peer.SMALL_BYTES / reading.seconds() / MILLION);
            case PING -> {
                values.put(Figure.LATENCY, reading.halfNs() / MICROSECOND_NS);
                values.put(Figure.LATENCY_99, reading.half99Ns() / MICROSECOND_NS);
            }
        }
        StringJoiner told = new StringJoiner(", ");
        values.forEach((figure, value) -> {
            if (!Double.isNaN(value)) {
                entrant.samples(figure).add(value, before, after);
                told.add(String.format(Locale.ROOT, figure.format, value) + " " + figure.unit);
            }
        });
        return told.toString();
    }

    @Override
    public void close() {
        entrants.forEach(each -> each.contender.close());
    }
}
