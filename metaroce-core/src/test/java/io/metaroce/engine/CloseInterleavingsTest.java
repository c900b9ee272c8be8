package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.EndpointLimits;
import io.metaroce.param.Profiles;
import io.metaroce.queue.CommandQueue;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Addressing;
import io.metaroce.sim.App;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;
import io.metaroce.wire.Opcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every interleaving of the end of a connection up to a bound: two real endpoints, and each of the first closing
 * packets arrives, is lost, arrives twice or arrives after its own repetition; all combinations, for all ways to close.
 */
class CloseInterleavingsTest {
    private static final int DEPTH = Integer.getInteger("metaroce.closeDepth", 4);
    private static final List<Fate> ALL = List.of(Fate.values());
    private static final int MESSAGES = 2;
    private static final int BYTES = 6_000;
    private static final long LATENCY_NS = 1_000;
    private static final long LATE_NS = 70_000_000; // a CLOSE is repeated after 50 ms
    private static final long LIMIT_NS = 200_000_000_000L;
    private static final int CONN_SERVICE = 7;

    /** What becomes of a closing packet. */
    private enum Fate {
        ARRIVES,
        LOST,
        TWICE,
        LATE
    }

    /** How a side ends the connection. */
    private enum Wish {
        NONE,
        CLOSES,
        ABORTS
    }

    /** Who wants what. The second side wants it at the same instant, when the first packet is on its way, or later. */
    private enum Case {
        ONE_CLOSES(Wish.CLOSES, Wish.NONE),
        ONE_ABORTS(Wish.ABORTS, Wish.NONE),
        BOTH_CLOSE(Wish.CLOSES, Wish.CLOSES),
        CLOSE_AND_ABORT(Wish.CLOSES, Wish.ABORTS),
        BOTH_ABORT(Wish.ABORTS, Wish.ABORTS);

        final Wish first;
        final Wish second;

        Case(Wish first, Wish second) {
            this.first = first;
            this.second = second;
        }

        boolean isGraceful() {
            return first == Wish.CLOSES && second != Wish.ABORTS;
        }
    }

    @ParameterizedTest
    @EnumSource(Case.class)
    @Covers({"R-CONN-006", "R-CONN-009", "R-CONN-010"})
    void allWorkIsDoneOnceAndBothSidesForgetWhateverHappensToTheClosingPackets(Case how) {
        int runs = 0;
        long[] gaps = how.second == Wish.NONE ? new long[] {0} : new long[] {0, LATENCY_NS / 2, LATE_NS / 2};
        for (int work = 0; work < 4; work++) {
            for (long gapNs : gaps) {
                int[] fates = new int[DEPTH];
                int changed = 0;
                while (changed >= 0) {
                    Run run = new Run(how, work, gapNs, fates);
                    run.toTheEnd();
                    runs++;
                    // Counts on; packets that were never sent have no fates to try.
                    changed = Math.min(run.decided, DEPTH) - 1;
                    while (changed >= 0 && fates[changed] == ALL.size() - 1) {
                        changed--;
                    }
                    if (changed >= 0) {
                        fates[changed]++;
                        Arrays.fill(fates, changed + 1, DEPTH, 0);
                    }
                }
            }
        }
        assertThat(runs).isGreaterThan(ALL.size() * ALL.size() * 4);
    }

    /** A packet on its way. */
    private record Flight(long atNs, int number, Side to, ByteBuffer bytes) {}

    /** One combination. */
    private static final class Run {
        private final Case how;
        private final int work;
        private final long gapNs;
        private final int[] fates;
        private final PriorityQueue<Flight> flights =
                new PriorityQueue<>(Comparator.comparingLong(Flight::atNs).thenComparingInt(Flight::number));
        private final Side a = new Side(this, 0);
        private final Side b = new Side(this, 1);
        private long nowNs;
        private int sent;
        private int decided;

        Run(Case how, int work, long gapNs, int[] fates) {
            this.how = how;
            this.work = work;
            this.gapNs = gapNs;
            this.fates = fates;
        }

        void toTheEnd() {
            b.endpoint.listen(CONN_SERVICE, b);
            a.connection =
                    a.endpoint.connect(0, Addressing.of(0, 1), CONN_SERVICE, List.of(a.app.binding()), new byte[0], a);
            until(() -> a.established && b.established);
            int fromA = (work & 1) == 0 ? 0 : a.post(b);
            int fromB = (work & 2) == 0 ? 0 : b.post(a);
            a.want(how.first);
            if (gapNs > 0) {
                long thenNs = nowNs + gapNs;
                until(() -> nowNs >= thenNs);
                nowNs = thenNs;
            }
            b.want(how.second);
            until(() -> a.reason != null && b.reason != null);
            check(a, fromA);
            check(b, fromB);
            until(() -> a.isForgotten() && b.isForgotten());
            assertThat(a.endpoint.freeSlots()).isEqualTo(a.slots);
            assertThat(b.endpoint.freeSlots()).isEqualTo(b.slots);
        }

        private void check(Side side, int posted) {
            List<App.Done> done = side.app.poll();
            assertThat(done).as(this::toString).extracting(App.Done::wrId).isEqualTo(numbers(posted));
            if (how.isGraceful()) {
                // R-CONN-009: neither forgets before the work of both is done.
                assertThat(done).as(this::toString).allMatch(one -> one.status() == WcStatus.SUCCESS);
                assertThat(side.reason).as(this::toString).isIn(CloseReason.LOCAL_CLOSE, CloseReason.PEER_CLOSE);
            } else {
                // R-CONN-006: what is flushed comes after what was done.
                boolean flushed = false;
                for (App.Done one : done) {
                    assertThat(flushed && one.status() == WcStatus.SUCCESS)
                            .as(this::toString)
                            .isFalse();
                    flushed |= one.status() != WcStatus.SUCCESS;
                }
            }
        }

        private static List<Long> numbers(int count) {
            List<Long> numbers = new ArrayList<>();
            for (long i = 0; i < count; i++) {
                numbers.add(i);
            }
            return numbers;
        }

        private void until(BooleanSupplier done) {
            a.runs();
            b.runs();
            while (!done.getAsBoolean()) {
                Flight next = flights.peek();
                long arrivalNs = next == null ? Endpoint.NEVER : next.atNs();
                long dueNs = Math.min(arrivalNs, Math.min(a.deadlineNs, b.deadlineNs));
                assertThat(dueNs).as(this::toString).isLessThan(LIMIT_NS);
                nowNs = Math.max(nowNs, dueNs);
                if (next != null && arrivalNs <= dueNs) {
                    flights.remove();
                    next.to().gets(next.bytes());
                } else if (a.deadlineNs <= dueNs) {
                    a.runs();
                } else {
                    b.runs();
                }
            }
        }

        void sends(Side from, Transmit packet) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(packet.length());
            packet.copyTo(bytes, 0);
            Side to = from == a ? b : a;
            int opcode = bytes.get(1);
            boolean isClosing = opcode == Opcode.CLOSE || opcode == Opcode.CLOSE_ACK;
            Fate fate = isClosing && decided < DEPTH ? ALL.get(fates[decided]) : Fate.ARRIVES;
            decided += isClosing ? 1 : 0;
            if (fate == Fate.ARRIVES || fate == Fate.TWICE) {
                flights.add(new Flight(nowNs + LATENCY_NS, sent++, to, bytes));
            }
            if (fate == Fate.LATE || fate == Fate.TWICE) {
                flights.add(new Flight(nowNs + LATE_NS, sent++, to, bytes));
            }
        }

        @Override
        public String toString() {
            List<Fate> list = new ArrayList<>();
            for (int i = 0; i < Math.min(decided, DEPTH); i++) {
                list.add(ALL.get(fates[i]));
            }
            return how + ", work " + work + ", gap " + gapNs + ", fates " + list + ", a " + a.reason + ", b " + b.reason
                    + ", at " + nowNs;
        }
    }

    /** One of the two. */
    private static final class Side implements ConnectionListener, TransmitPort {
        private static final EndpointConfig CONFIG = config();

        private final Run run;
        private final Address source;
        private final DoorbellQueue doorbells = new DoorbellQueue(64);
        private final Endpoint endpoint;
        private final Driver driver;
        private final App app;
        private final int slots;
        private long deadlineNs = Endpoint.NEVER;
        private int connection;
        private boolean established;
        private @Nullable CloseReason reason;

        Side(Run run, int node) {
            this.run = run;
            source = Addressing.of(0, node);
            endpoint = new Endpoint(
                    CONFIG,
                    List.of(source),
                    new SplitMix64(node + 1),
                    new Counters(),
                    TransportEvents.NONE,
                    new CommandQueue<>(),
                    doorbells);
            slots = endpoint.freeSlots();
            driver = new Driver(endpoint, this);
            app = new App(endpoint.regions(), doorbells, 0, 2 * MESSAGES * BYTES, 8);
        }

        private static EndpointConfig config() {
            EndpointConfig model = Profiles.model();
            return model.withPath(model.path().withPaths(2)).withLimits(new EndpointLimits(4, 256, 16, 16, 4));
        }

        int post(Side to) {
            for (int i = 0; i < MESSAGES; i++) {
                app.post(i, WrOpcode.RDMA_WRITE, new App.Range(i * BYTES, BYTES), to.app.at((2 + i) * BYTES, 0));
            }
            runs();
            return MESSAGES;
        }

        void want(Wish wish) {
            switch (wish) {
                case NONE -> {}
                case CLOSES -> endpoint.close(run.nowNs, connection);
                case ABORTS -> endpoint.abort(run.nowNs, connection);
            }
            runs();
        }

        void runs() {
            deadlineNs = driver.quiesce(run.nowNs);
        }

        void gets(ByteBuffer bytes) {
            driver.feed(run.nowNs, new Datagram().set(bytes, 0, bytes.capacity(), 0, Ecn.ECT_0, () -> source));
            runs();
        }

        boolean isForgotten() {
            return endpoint.connectionIds().isEmpty();
        }

        @Override
        public int planesWithRoom() {
            return 1;
        }

        @Override
        public void send(Transmit packet) {
            run.sends(this, packet);
        }

        @Override
        public void flush() {}

        @Override
        public void offered(long nowNs, int connectionId, Offer offer) {
            connection = connectionId;
            endpoint.accept(nowNs, connectionId, List.of(app.binding()), new byte[0]);
        }

        @Override
        public void established(long nowNs, int connectionId, byte[] privateData) {
            established = true;
        }

        @Override
        public void closed(long nowNs, int connectionId, CloseReason how, String detail, byte[] privateData) {
            assertThat(reason).as("closed twice").isNull();
            reason = how;
        }
    }
}
