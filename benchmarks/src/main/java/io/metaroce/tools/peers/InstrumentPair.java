package io.metaroce.tools.peers;

import io.metaroce.tools.peers.Instrument.Amount;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** An instrument, started anew for each turn. Of those that count messages it finds out how many fill the time. */
final class InstrumentPair implements Contender {
    private static final Duration PATIENCE = Duration.ofSeconds(40); // beyond the time of a turn
    private static final long FEW = 4;
    private static final double GROWTH_MAX = 1000;
    private static final double LONG_ENOUGH = 0.5; // share of the time asked for
    private static final int ATTEMPTS = 3;

    private final Instrument instrument;
    private final Place far;
    private final Place near;
    private final Map<Test, Long> messages = new EnumMap<>(Test.class);

    InstrumentPair(Instrument instrument, Place far, Place near) {
        this.instrument = instrument;
        this.far = far;
        this.near = near;
    }

    @Override
    public boolean has(Test test) {
        return instrument.has(test);
    }

    @Override
    public Reading take(Test test, Duration time) throws IOException {
        double wanted = time.toNanos() / 1e9;
        Reading reading = once(test, time);
        for (int i = 1; i < ATTEMPTS && !instrument.isTimed(); i++) {
            double took = seconds(test, reading);
            boolean isLongEnough = took >= LONG_ENOUGH * wanted;
            double growth = Math.min(wanted / Math.max(took, 1e-9), GROWTH_MAX);
            messages.compute(test, (key, n) -> Math.max(1, Math.round((n == null ? FEW : n) * growth)));
            if (isLongEnough) {
                break;
            }
            reading = once(test, time);
        }
        return reading;
    }

    /** How long the messages took; of round trips it is made out from the median. */
    private double seconds(Test test, Reading reading) {
        return test == Test.PING ? 2 * reading.halfNs() / 1e9 * messages.getOrDefault(test, FEW) : reading.seconds();
    }

    private Reading once(Test test, Duration time) throws IOException {
        Amount amount = new Amount(Math.max(1, Math.round(time.toMillis() / 1e3)), messages.getOrDefault(test, FEW));
        int port = freePort();
        ToolRun.Outcome outcome = ToolRun.of(
                far.prefix(),
                instrument.server(test, far, port, amount),
                port,
                near.prefix(),
                instrument.client(test, near, far, port, amount),
                time.plus(PATIENCE));
        Reading read = instrument.read(test, amount, outcome.printed());
        return new Reading(read.bytes(), read.seconds(), outcome.cpuSeconds(), read.halfNs(), read.half99Ns());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void warmUp(Test test, Duration time) {
        // a new process in each turn stays as cold as it was
    }

    @Override
    public void forget() {
        messages.clear();
    }

    @Override
    public void close() {
        // nothing lives between turns
    }
}
