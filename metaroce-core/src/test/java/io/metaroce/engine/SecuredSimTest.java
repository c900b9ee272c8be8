package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.param.Secret;
import io.metaroce.param.SecurityConfig;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.Invariants;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.PacketObserver;
import io.metaroce.sim.PacketPool;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import io.metaroce.trace.Counter;
import io.metaroce.trace.DropReason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole transfers over encrypted connections. */
class SecuredSimTest {
    private static final long S = 1_000_000_000L;
    private static final int BYTES = 300_000;
    private static final int MESSAGES = 6;
    private static final Secret KEY = Secret.ofHex("00112233445566778899aabbccddeeff");
    private static final Secret OTHER_KEY = Secret.ofHex("10112233445566778899aabbccddeeff");
    private static final SecurityConfig SECURED = SecurityConfig.NONE.withPresharedKey(KEY);
    private static final Address NOWHERE = Address.ipv4(1, 1);

    // Ten phases of keys per message and more; links that lose, double and reorder.
    private static final LinkConfig.Faults ROUGH =
            LinkConfig.Faults.NONE.withLoss(50_000, 1).withDuplicates(20_000, 20 * SimTime.US);

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"SEND", "SEND_WITH_IMM", "RDMA_WRITE", "RDMA_WRITE_WITH_IMM"})
    @Covers({"R-SEC-001", "R-SEC-005"})
    void everyKindOfMessageArrivesWholeOverRoughLinksWhileKeysChange(WrOpcode opcode) {
        Two two = new Two(3, ROUGH, SECURED.withRekeyPackets(100), SECURED.withRekeyPackets(17));
        two.a.connected(two.b);
        two.post(opcode);
        assertThat(two.world.runUntil(() -> two.a.app().poll().size() == MESSAGES, 20 * S))
                .as(two.a.events + " " + two.b.events)
                .isTrue();
        two.assertDone();
        two.a.closes();
        assertThat(two.world.runUntil(() -> two.a.isClosed() && two.b.isClosed(), 10 * S))
                .isTrue();
        assertThat(two.a.reasons).containsExactly(CloseReason.LOCAL_CLOSE);
        assertThat(two.b.reasons).containsExactly(CloseReason.PEER_CLOSE);
    }

    @Test
    @Covers({"R-SEC-001", "R-HDR-001"})
    void afterTheHandshakeNothingIsInClearAndNoCounterComesTwice() {
        Two two = new Two(5, ROUGH, SECURED, SECURED);
        List<ByteBuffer> all = two.recorded();
        two.a.connected(two.b);
        two.post(WrOpcode.RDMA_WRITE);
        two.world.runUntil(() -> two.a.app().poll().size() == MESSAGES, 20 * S);
        TreeSet<Integer> clear = new TreeSet<>();
        TreeSet<String> counters = new TreeSet<>();
        int secured = 0;
        for (ByteBuffer packet : all) {
            if ((packet.get(0) & 0xF0) == 0xF0) {
                secured++;
                assertThat(counters.add(packet.getInt(4) + " " + packet.getLong(8)))
                        .isTrue();
            } else {
                clear.add((int) packet.get(1));
            }
        }
        assertThat(secured).isGreaterThan(400);
        assertThat(clear).containsExactly(1, 2, 3); // CONN_REQ, CONN_RETRY, CONN_ACCEPT
    }

    @Test
    @Covers("R-SEC-005")
    void whatWasRecordedChangesNothingWhenItComesAgain() {
        Two two = new Two(7, LinkConfig.Faults.NONE, SECURED, SECURED);
        List<ByteBuffer> toB = two.recorded();
        two.a.connected(two.b);
        two.post(WrOpcode.RDMA_WRITE);
        two.world.runUntil(() -> two.a.app().poll().size() == MESSAGES, 20 * S);
        two.world.run(1_000_000);
        long sent = two.b.host.counters().get(Counter.TX_PACKETS);
        long accepted = two.b.host.counters().get(Counter.RX_SLOTS);
        byte[] before = two.memoryOfB();
        int replayed = 0;
        for (ByteBuffer packet : List.copyOf(toB)) {
            if ((packet.get(0) & 0xF0) == 0xF0 && packet.getInt(4) == two.b.connection()) {
                two.deliverToB(packet);
                replayed++;
            }
        }
        two.world.run(1_000_000);
        assertThat(replayed).isGreaterThan(400);
        assertThat(two.b.host.counters().get(DropReason.REPLAY)).isEqualTo(replayed);
        assertThat(two.b.host.counters().get(Counter.TX_PACKETS)).isEqualTo(sent);
        assertThat(two.b.host.counters().get(Counter.RX_SLOTS)).isEqualTo(accepted);
        assertThat(two.memoryOfB()).isEqualTo(before);
    }

    @Test
    @Covers({"R-HDR-007", "R-HDR-008", "R-SEC-002"})
    void everyFlippedBitIsFoundExceptTheOneThatMayChange() {
        Two two = new Two(9, LinkConfig.Faults.NONE, SECURED, SECURED);
        two.a.connected(two.b);
        two.world.run(1_000_000);
        List<ByteBuffer> held = two.recorded();
        two.world.fabric();
        two.a
                .app()
                .post(0, WrOpcode.RDMA_WRITE, new App.Range(0, 40), two.b.app().at(0, 0));
        two.world.run(100); // sent, not arrived
        ByteBuffer packet = held.get(0);
        int bits = 8 * packet.capacity();
        for (int bit = 0; bit < bits; bit++) {
            ByteBuffer flipped = copy(packet);
            flipped.put(bit / 8, (byte) (flipped.get(bit / 8) ^ (0x80 >> bit % 8)));
            if (bit != 4) { // M
                two.deliverToB(flipped);
            }
        }
        assertThat(two.b.host.counters().get(Counter.RX_SLOTS)).isZero();
        assertThat(two.b.host.counters().dropsTotal()).isEqualTo(bits - 1);
        // Version and ConnId lead elsewhere, a counter that was used to a packet seen before, the rest to a wrong tag.
        assertThat(two.b.host.counters().get(DropReason.INTEGRITY)
                        + two.b.host.counters().get(DropReason.REPLAY))
                .isGreaterThanOrEqualTo(bits - 1 - 4 - 32);
        ByteBuffer marked = copy(packet);
        marked.put(0, (byte) (marked.get(0) | 0x08));
        two.deliverToB(marked);
        assertThat(two.b.host.counters().get(Counter.RX_SLOTS)).isEqualTo(1);
        assertThat(two.b.host.counters().get(Counter.RX_MARKED)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    @Covers("R-CONN-004")
    void whoeverHasAKeySpeaksToNobodyWhoHasNone(boolean aHas, boolean bHas) {
        Two two = new Two(
                1, LinkConfig.Faults.NONE, aHas ? SECURED : SecurityConfig.NONE, bHas ? SECURED : SecurityConfig.NONE);
        two.b.listens();
        two.a.connects(two.b);
        two.world.runUntil(two.a::isClosed, 20 * S);
        assertThat(two.a.reasons).containsExactly(CloseReason.REJECTED_INTEGRITY);
        assertThat(two.a.details)
                .singleElement()
                .asString()
                .contains("AEAD-1 with a pre-shared key", "CRC32C in clear", "10.0.0.2");
        assertThat(two.b.events).isEmpty();
    }

    @Test
    @Covers("R-SEC-001")
    void differentKeysNeverMakeAConnection() {
        Two two = new Two(1, LinkConfig.Faults.NONE, SECURED, SecurityConfig.NONE.withPresharedKey(OTHER_KEY));
        two.b.listens();
        two.a.connects(two.b);
        two.world.run(20 * S);
        assertThat(two.b.events).containsExactly("offered", "closed CONNECT_TIMEOUT");
        assertThat(two.b.host.counters().get(DropReason.INTEGRITY)).isPositive();
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocateDirect(bytes.capacity()).put(0, bytes, 0, bytes.capacity());
    }

    /** Two hosts under the eyes of the checker. */
    private static final class Two {
        final World world;
        final Node a;
        final Node b;

        Two(long seed, LinkConfig.Faults faults, SecurityConfig ofA, SecurityConfig ofB) {
            world = World.ofSeed(seed);
            Topology.Pair shape = Topology.Pair.skewed(1);
            Fabric fabric = Topology.pair(world, shape.withLink(shape.link().withFaults(faults)));
            Invariants.watch(world);
            EndpointConfig model = Profiles.model();
            EndpointConfig small = model.withPath(model.path().withPaths(4));
            a = new Node(fabric, "a", small.withSecurity(ofA), 1, BYTES * MESSAGES, 16);
            b = new Node(fabric, "b", small.withSecurity(ofB), 1, BYTES * MESSAGES, 16);
        }

        void post(WrOpcode opcode) {
            for (int i = 0; i < MESSAGES; i++) {
                App.Range range = new App.Range(i * BYTES, BYTES);
                if (opcode.consumesReceive()) {
                    boolean isSend = opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_IMM;
                    b.app().receive(100 + i, isSend ? range : App.Range.NONE);
                }
                a.app().post(i, opcode, range, b.app().at(i * BYTES, i));
            }
        }

        void assertDone() {
            assertThat(a.app().poll()).allMatch(done -> done.status() == WcStatus.SUCCESS);
            assertThat(memoryOfB()).isEqualTo(bytes(a.app().memory()));
        }

        byte[] memoryOfB() {
            return bytes(b.app().memory());
        }

        /** Every packet that is sent from now on. */
        List<ByteBuffer> recorded() {
            List<ByteBuffer> all = new ArrayList<>();
            world.observe(new PacketObserver() {
                @Override
                public void sent(long timePs, int node, int packet) {
                    PacketPool packets = world.packets();
                    all.add(ByteBuffer.allocateDirect(packets.length(packet))
                            .put(0, packets.bytes(packet), packets.offset(packet), packets.length(packet)));
                }
            });
            return all;
        }

        void deliverToB(ByteBuffer packet) {
            b.host.endpoint()
                    .onDatagram(
                            world.nowNs(),
                            new Datagram().set(packet, 0, packet.capacity(), 0, Ecn.ECT_0, () -> NOWHERE));
            b.host.touched();
        }

        private static byte[] bytes(ByteBuffer memory) {
            byte[] out = new byte[memory.capacity()];
            memory.get(0, out);
            return out;
        }
    }
}
