package io.metaroce.tools.peers;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/** Two processes of this class path that live through the whole contest. */
final class PeerPair implements Contender {
    /** A peer of the class path, as one who may take part. */
    record Entry(Peer peer) implements Candidate {
        @Override
        public String name() {
            return peer.name();
        }

        @Override
        public String about() {
            return peer.about();
        }

        @Override
        public String absence() {
            return "";
        }

        @Override
        public boolean repairs() {
            return peer.repairs();
        }

        @Override
        public Contender enter(Place far, Place near) throws IOException {
            PeerProcess receiver = PeerProcess.serve(far, peer);
            try {
                return new PeerPair(receiver, PeerProcess.drive(near, peer, receiver.address()));
            } catch (IOException e) {
                receiver.close();
                throw e;
            }
        }
    }

    private static final Duration PATIENCE = Duration.ofSeconds(75); // beyond the time of a turn; peers have 60 s

    private final PeerProcess far;
    private final PeerProcess near;

    private PeerPair(PeerProcess far, PeerProcess near) {
        this.far = far;
        this.near = near;
    }

    @Override
    public boolean has(Test test) {
        return true;
    }

    @Override
    public Reading take(Test test, Duration time) throws IOException {
        double cpu = cpuSeconds();
        long before = counted();
        String[] told = order(test, time);
        if (test == Test.PING) {
            return Reading.roundTrips(Double.parseDouble(told[1]), Double.parseDouble(told[2]));
        }
        return Reading.flow((double) (counted() - before), Double.parseDouble(told[0]), cpuSeconds() - cpu);
    }

    @Override
    public void warmUp(Test test, Duration time) throws IOException {
        String[] unused = order(test, time);
    }

    /** Seconds it took, and behind them what the test tells. */
    private String[] order(Test test, Duration time) throws IOException {
        String order = test.name().toLowerCase(Locale.ROOT) + " " + time.toMillis();
        return near.ask(order, "done ", time.plus(PATIENCE)).split(" ", -1);
    }

    private long counted() throws IOException {
        return Long.parseLong(far.ask("count", "counted ", PATIENCE));
    }

    private double cpuSeconds() throws IOException {
        return far.cpuSeconds() + near.cpuSeconds();
    }

    @Override
    public void forget() {
        // peers learn by themselves
    }

    @Override
    public void close() {
        near.close();
        far.close();
    }
}
