package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.connection.Sealed;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.memory.Access;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.PacketObserver;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.PacketView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spoiled copies of real packets, and noise, fed to both ends of a connection in the middle of a transfer. */
class HostileSimTest {
    private static final int MESSAGES = 40;
    private static final int BYTES = 30_000;
    private static final int SPOILED_PER_PACKET = 2;
    private static final long LIMIT_NS = 5_000_000_000L;
    private static final Address NOWHERE = Address.ipv4(0xC0000201, 7);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Covers({"R-SEC-002", "R-HDR-007", "R-OBS-003", "R-MEM-001"})
    void spoiledPacketsAreDroppedUnderOneNameEachAndTheTransferFinishes(long seed) {
        Attacked attacked = new Attacked(seed);
        attacked.run(attacked::spoil);
        for (Node node : List.of(attacked.a, attacked.b)) {
            assertThat(node.reasons).isEmpty();
            List<App.Done> sends = new ArrayList<>(node.app().poll());
            assertThat(sends).hasSize(MESSAGES).allMatch(done -> done.status() == WcStatus.SUCCESS);
        }
        attacked.assertTransferred();
        // Every bad packet is counted once, and a wrong trailer is the most that can be said of most of them.
        assertThat(attacked.fed).isGreaterThan(1_000);
        assertThat(attacked.accountedFor).isEqualTo(attacked.fed);
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6, 7, 8, 9, 10, 11, 12})
    @Covers({"R-SEC-002", "R-MEM-002", "R-MEM-006"})
    void aPeerThatKnowsTheSeedsMayEndTheConnectionAndNothingElse(long seed) {
        Attacked attacked = new Attacked(seed);
        ByteBuffer guard = ByteBuffer.allocateDirect(1 << 16);
        attacked.b.host.endpoint().regions().register(App.DOMAIN, guard, 0x77_0000, Access.LOCAL_WRITE);
        attacked.run(attacked::forge);
        for (int i = 0; i < guard.capacity(); i++) {
            assertThat(guard.get(i)).isZero();
        }
        assertThat(attacked.fed).isPositive();
        for (Node node : List.of(attacked.a, attacked.b)) {
            // Whatever happened, every request was answered exactly once.
            assertThat(node.app().poll())
                    .extracting(App.Done::wrId)
                    .doesNotHaveDuplicates()
                    .hasSize(MESSAGES);
            if (node.isClosed()) {
                assertThat(node.reasons).hasSize(1).doesNotContain(CloseReason.LOCAL_CLOSE);
            }
        }
    }

    @Test
    @Covers({"R-PATH-005", "R-MEM-001", "R-SACK-003"})
    void everyPacketMayComeAgainAtAnyTime() {
        Attacked attacked = new Attacked(13);
        attacked.run(attacked::replay);
        attacked.assertTransferred();
        assertThat(attacked.a.reasons).isEmpty();
        assertThat(attacked.b.reasons).isEmpty();
        assertThat(attacked.b.host.counters().get(Counter.RX_DUPLICATES)).isPositive();
    }

    /** Two nodes that write to each other, and somebody in between who copies. */
    private static final class Attacked implements PacketObserver {
        /** What is done with a copy. */
        private interface Attack {
            void on(Node victim, byte[] genuine);
        }

        final World world;
        final Node a;
        final Node b;
        final SplitMix64 random;
        long fed;
        long accountedFor;
        private final List<byte[]> toA = new ArrayList<>();
        private final List<byte[]> toB = new ArrayList<>();
        private final List<byte[]> history = new ArrayList<>();
        private final byte[] sourceA;
        private final byte[] sourceB;

        Attacked(long seed) {
            world = World.ofSeed(seed);
            random = new SplitMix64(seed * 31);
            Fabric fabric = Topology.pair(world, Topology.Pair.skewed(1));
            world.observe(this);
            a = new Node(fabric, "a", config(), 1, 2 * MESSAGES * BYTES, 2 * MESSAGES);
            b = new Node(fabric, "b", config(), 1, 2 * MESSAGES * BYTES, 2 * MESSAGES);
            sourceA = half(a);
            sourceB = half(b);
        }

        private static byte[] half(Node node) {
            byte[] bytes = new byte[MESSAGES * BYTES];
            node.app().memory().get(0, bytes);
            return bytes;
        }

        void run(Attack attack) {
            a.connected(b);
            for (int i = 0; i < MESSAGES; i++) {
                // Each writes the lower half of its memory into the upper half of the other's.
                App.Range from = new App.Range(i * BYTES, BYTES);
                a.app().post(i, WrOpcode.RDMA_WRITE, from, b.app().at((MESSAGES + i) * BYTES, 0));
                b.app().post(i, WrOpcode.RDMA_WRITE, from, a.app().at((MESSAGES + i) * BYTES, 0));
            }
            boolean done = world.runUntil(
                    () -> {
                        feed(a, toA, attack);
                        feed(b, toB, attack);
                        return isDone(a) && isDone(b);
                    },
                    LIMIT_NS);
            assertThat(done).as("the transfer ends, one way or another").isTrue();
        }

        private static boolean isDone(Node node) {
            return node.app().poll().size() >= MESSAGES;
        }

        private void feed(Node victim, List<byte[]> copies, Attack attack) {
            for (byte[] genuine : List.copyOf(copies)) {
                attack.on(victim, genuine);
            }
            copies.clear();
        }

        void assertTransferred() {
            byte[] there = new byte[MESSAGES * BYTES];
            b.app().memory().get(MESSAGES * BYTES, there);
            assertThat(Arrays.equals(there, sourceA)).isTrue();
            a.app().memory().get(MESSAGES * BYTES, there);
            assertThat(Arrays.equals(there, sourceB)).isTrue();
            assertThat(Arrays.equals(half(a), sourceA)).isTrue();
            assertThat(Arrays.equals(half(b), sourceB)).isTrue();
        }

        /** A bit flipped, cut short, mixed up, or nothing but noise. */
        void spoil(Node victim, byte[] genuine) {
            for (int i = 0; i < SPOILED_PER_PACKET; i++) {
                byte[] bad = spoiled(genuine);
                Counters counters = victim.host.counters();
                long before = counters.dropsTotal();
                feed(victim, bad);
                accountedFor += counters.dropsTotal() - before;
            }
        }

        private byte[] spoiled(byte[] genuine) {
            byte[] bad = genuine.clone();
            switch (random.nextInt(5)) {
                case 0 -> {
                    // Bit 3 of byte 0 is M, which may change on the way: flip anything but that.
                    int bit = random.nextInt(8 * bad.length);
                    bit = bit == 3 ? 4 : bit;
                    bad[bit / 8] ^= (byte) (1 << (bit % 8));
                }
                case 1 -> bad = Arrays.copyOf(bad, random.nextInt(bad.length));
                case 2 -> bad = Arrays.copyOf(bad, bad.length + 1 + random.nextInt(40));
                case 3 -> {
                    bad = new byte[random.nextInt(1_400)];
                    for (int i = 0; i < bad.length; i++) {
                        bad[i] = (byte) random.nextLong();
                    }
                }
                default -> {
                    int from = random.nextInt(bad.length);
                    int length = Math.min(1 + random.nextInt(16), bad.length - from);
                    for (int i = 0; i < length; i++) {
                        bad[from + i] ^= (byte) (1 + random.nextInt(255));
                    }
                    bad[0] ^= 0x08; // undoes nothing: M does not count
                }
            }
            return bad;
        }

        /** Some bytes changed and the trailer made right again. */
        void forge(Node victim, byte[] genuine) {
            int seed = victim == a ? seedOfA : seedOfB;
            if (seed == 0 || random.nextInt(20) != 0) {
                return;
            }
            byte[] bad = genuine.clone();
            int changes = 1 + random.nextInt(3);
            for (int i = 0; i < changes; i++) {
                bad[8 + random.nextInt(Math.min(bad.length, 60) - 8)] = (byte) random.nextLong();
            }
            if (random.nextInt(4) == 0) {
                bad[1] = (byte) (0x10 + random.nextInt(0x23));
            }
            feed(victim, Sealed.again(bad, seed));
        }

        void replay(Node victim, byte[] genuine) {
            history.add(genuine);
            byte[] old = history.get(random.nextInt(history.size()));
            PacketView view = new PacketView();
            view.open(datagram(old));
            if (view.base().dstConnId() == victim.connection()) {
                feed(victim, old);
            }
        }

        private void feed(Node victim, byte[] bytes) {
            fed++;
            victim.host.endpoint().onDatagram(world.nowNs(), datagram(bytes));
            victim.host.touched();
        }

        private static Datagram datagram(byte[] bytes) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(Math.max(bytes.length, 1));
            buffer.put(0, bytes);
            return new Datagram().set(buffer, 0, bytes.length, 0, Ecn.ECT_0, () -> NOWHERE);
        }

        // Copies are taken when a packet arrives, and used when the event is over.
        @Override
        public void delivered(long timePs, int node, int packet) {
            byte[] bytes = new byte[world.packets().length(packet)];
            world.packets().bytes(packet).get(world.packets().offset(packet), bytes);
            learnSeeds(bytes);
            (node == a.host.attachment().node() ? toA : toB).add(bytes);
        }

        private int seedOfA;
        private int seedOfB;

        private void learnSeeds(byte[] bytes) {
            PacketView view = new PacketView();
            if (view.open(datagram(bytes)) != null || view.parse() != null || view.opcode() > 3 || view.opcode() == 2) {
                return;
            }
            ConnectParameters said = new ConnectParameters();
            if (said.read(view.buffer(), view.tlvOffset(), view.tlvEnd()) == null) {
                if (view.opcode() == 1) {
                    seedOfA = said.crcSeed();
                } else {
                    seedOfB = said.crcSeed();
                }
            }
        }
    }

    private static EndpointConfig config() {
        EndpointConfig config = Profiles.model();
        return config.withPath(config.path().withPaths(8))
                .withRate(config.rate().withLineRate(12_500_000_000L, 12_500_000_000L));
    }
}
