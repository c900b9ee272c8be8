package io.metaroce.sim;

import static io.metaroce.sim.Crossings.Counted.ACK_SEQ;
import static io.metaroce.sim.Crossings.Counted.ATOMIC_TAG;
import static io.metaroce.sim.Crossings.Counted.EPOCH;
import static io.metaroce.sim.Crossings.Counted.HINT_SEQ;
import static io.metaroce.sim.Crossings.Counted.MSN;
import static io.metaroce.sim.Crossings.Counted.PSN;
import static io.metaroce.sim.Crossings.Counted.READ_TAG;
import static io.metaroce.sim.Crossings.Counted.RSN;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.FirstNumbers;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Crossings.Counted;
import io.metaroce.sim.Transfer.Job;
import io.metaroce.trace.Counter;
import io.metaroce.wire.Opcode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The whole engine while its numbers run past the end of their circle, and past the half of it, where a comparison of
 * signed or unsigned numbers would turn: under loss, reordering, copies and changes of route. Every such run is
 * compared with its twin of the same seed whose numbers stay far from both: not an instant, not a packet, not a count
 * may differ.
 */
class WrapSimTest {
    private static final int P = Transfer.PAYLOAD;
    private static final int PATH_STRIDE = 0x9E3779B1; // between the first numbers of neighbouring paths
    private static final int PATHS = 16;
    private static final int MESSAGES = 80;
    private static final LinkConfig.Faults ROUGH = Transfer.ROUGH.withReordering(20_000, 3, 20 * SimTime.US);
    private static final FirstNumbers FAR_AWAY =
            new FirstNumbers(0x1234_5678, 0x1234_5678, 0x1234_5678, 0x1234_5678, 30, OptionalInt.of(0x1234_5678));
    private static final List<WrOpcode> OPERATIONS = List.of(
            WrOpcode.RDMA_WRITE,
            WrOpcode.RDMA_WRITE_WITH_IMM,
            WrOpcode.SEND,
            WrOpcode.SEND_WITH_IMM,
            WrOpcode.SEND_WITH_INV,
            WrOpcode.RDMA_READ,
            WrOpcode.ATOMIC_FETCH_AND_ADD); // with the other atomics among them

    /** One run: an operation, where numbers begin to be different, and a seed. */
    record Crossing(WrOpcode opcode, int edge, long seed) {
        @Override
        public String toString() {
            return opcode + " past " + Integer.toHexString(edge) + ", seed " + seed;
        }

        /** Everything begins a little before the edge; the numbers of slots do so on one of the paths. */
        FirstNumbers first() {
            int path = (int) (seed % PATHS);
            int epoch = ((edge >>> 24) - 1) & 0xFF;
            return new FirstNumbers(
                    edge - 9, edge - 9, edge - 9, edge - 4, epoch, OptionalInt.of(edge - 2 - path * PATH_STRIDE));
        }

        Job job() {
            Job job = opcode.isAtomic() ? AtomicSimTest.job(seed) : Job.of(seed, opcode, sizes());
            return job.over(Topology.Pair.skewed(2)).with(ROUGH).from(first());
        }

        Set<Counted> mustCross() {
            Set<Counted> all = EnumSet.of(PSN, MSN, ACK_SEQ, EPOCH);
            if (opcode.consumesReceive()) {
                all.add(RSN);
            } else if (opcode == WrOpcode.RDMA_READ) {
                all.addAll(EnumSet.of(READ_TAG, HINT_SEQ));
            } else if (opcode.isAtomic()) {
                all.add(ATOMIC_TAG);
            }
            return all;
        }
    }

    static List<Crossing> crossings() {
        List<Crossing> all = new ArrayList<>();
        long seed = 0;
        for (WrOpcode opcode : OPERATIONS) {
            for (int edge : new int[] {0, Integer.MIN_VALUE}) {
                for (int i = 0; i < 2; i++) {
                    all.add(new Crossing(opcode, edge, ++seed));
                }
            }
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("crossings")
    @Covers({"R-PATH-001", "R-PATH-012", "R-ACK-006", "R-ORD-010", "R-SEND-001", "R-HINT-007", "R-ATOM-001"})
    void pastTheEdgeEverythingGoesAsElsewhere(Crossing crossing) {
        Transfer transfer = new Transfer(crossing.job());
        Crossings seen = Crossings.of(transfer.world, crossing.edge());
        String course = course(transfer, crossing);
        assertThat(seen.crossed()).containsAll(crossing.mustCross());
        Transfer twin = new Transfer(crossing.job().from(FAR_AWAY));
        assertThat(course).isEqualTo(course(twin, crossing));
    }

    /** Runs a transfer to its end while routes change; answers with all that can be counted. */
    private static String course(Transfer transfer, Crossing crossing) {
        transfer.connect();
        moveRoutes(transfer.world);
        if (crossing.opcode().isAtomic()) {
            AtomicSimTest.run(transfer, crossing.seed());
        } else {
            transfer.post();
            transfer.complete();
            transfer.close();
        }
        StringBuilder out = new StringBuilder(
                transfer.world.events() + " events until " + transfer.world.nowPs() + " ps, a and b counted");
        for (Counter counter : Counter.values()) {
            out.append(' ').append(counter);
            for (Peer peer : List.of(transfer.a, transfer.b)) {
                out.append(' ').append(peer.host.counters().get(counter));
            }
        }
        return out.toString();
    }

    @ParameterizedTest
    @ValueSource(longs = {51, 52, 53})
    @Covers({"R-PATH-010", "R-PATH-011", "R-PATH-012", "R-PATH-014", "R-PATH-021"})
    void epochsMayWrapThreeTimesUnderLossAndReordering(long seed) {
        Integer[] sizes = new Integer[32];
        Arrays.fill(sizes, 8 * P);
        Transfer transfer =
                new Transfer(Job.of(seed, WrOpcode.RDMA_WRITE, sizes).with(ROUGH));
        Turns turns = new Turns(transfer.world, transfer.a.host.attachment().node());
        transfer.world.observe(turns);
        transfer.connect();
        for (int round = 1; turns.full < 3; round++) {
            assertThat(round).as("rounds until three turns").isLessThan(200);
            int expected = sizes.length * round;
            transfer.post(); // the same writes once more
            for (boolean park = true; transfer.a.app.poll().size() < expected; park = !park) {
                order(transfer, park);
                transfer.world.run(5_000);
            }
        }
        assertThat(transfer.a.host.counters().get(Counter.RETRANSMIT_GAP)).isGreaterThan(100);
        transfer.world.run(1_000_000);
        transfer.close();
    }

    /** From here on one plane after the other fails and comes back. */
    private static void moveRoutes(World world) {
        long us = world.nowNs() / 1000;
        world.faults(FaultScript.parse(String.format(
                Locale.ROOT,
                "at %dus plane 1 down%nat %dus plane 1 up%nat %dus plane 0 down%nat %dus plane 0 up",
                us + 30,
                us + 300,
                us + 600,
                us + 2000)));
    }

    /** An operator takes path 0 out of use and lets it back, so that it takes one new route after the other. */
    private static void order(Transfer transfer, boolean park) {
        Host host = transfer.a.host;
        if (park) {
            host.endpoint().parkPath(host.world().nowNs(), transfer.a.connectionId, 0);
        } else {
            host.endpoint().unparkPath(host.world().nowNs(), transfer.a.connectionId, 0);
        }
        host.touched();
    }

    private static Integer[] sizes() {
        Integer[] sizes = new Integer[MESSAGES];
        int[] shapes = {0, 1, P, 3 * P + 5, 9 * P, P - 1, 2 * P};
        for (int i = 0; i < MESSAGES; i++) {
            sizes[i] = shapes[i % shapes.length];
        }
        return sizes;
    }

    /** Counts how often the epoch of path 0 of a host goes round. */
    private static final class Turns implements PacketObserver {
        private final World world;
        private final int node;
        private int epoch;
        int full;

        Turns(World world, int node) {
            this.world = world;
            this.node = node;
        }

        @Override
        public void sent(long timePs, int sender, int packet) {
            int at = world.packets().offset(packet);
            int opcode = world.packets().bytes(packet).get(at + 1) & 0xFF;
            int path = world.packets().bytes(packet).get(at + 2) & 0xFF;
            if (sender == node && Opcode.isSlot(opcode) && path == 0) {
                int now = world.packets().bytes(packet).get(at + 3) & 0xFF;
                full += now < epoch ? 1 : 0;
                epoch = now;
            }
        }
    }
}
