package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.engine.Corpus.Kind;
import io.metaroce.engine.Corpus.Mutation;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.EndpointLimits;
import io.metaroce.param.Profiles;
import io.metaroce.param.Secret;
import io.metaroce.param.SecurityConfig;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.PacketObserver;
import io.metaroce.sim.Script;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import io.metaroce.trace.Counter;
import io.metaroce.wire.Opcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Whatever is fed to an endpoint, before or after a handshake, in clear or encrypted: no exception, not a byte of
 * memory written, nothing kept for it.
 */
class WireBoundaryProperties {
    private static final int MEMORY = 1 << 12;
    private static final Secret KEY = Secret.ofHex("00112233445566778899aabbccddeeff");
    private static final Address NOWHERE = Address.ipv4(1, 1);

    @Example
    void theCorpusKnowsEveryPacket() {
        Set<Integer> opcodes = new TreeSet<>();
        for (byte[] seed : Corpus.SEEDS) {
            if (seed.length > 1 && (seed[0] & 0xF0) == 0x10) {
                opcodes.add(seed[1] & 0xFF);
            }
        }
        for (int opcode = 1; opcode < Opcode.EXPERIMENTS; opcode++) {
            if (Opcode.isAssigned(opcode)) {
                assertThat(opcodes).contains(opcode);
            }
        }
    }

    @Example
    void whatIsAddressedAndSealedIsNotPutAsideAtTheDoor() {
        long slots = 0;
        long reports = 0;
        for (int seed = 0; seed < Corpus.SEEDS.size(); seed++) {
            Script script = new Script(small(), 2);
            ScriptPeer peer = script.connect(script.app(0, MEMORY, 16));
            deliver(script, peer, new Mutation(seed, Kind.NOTHING, 0, 3, true, true));
            slots += script.counters().get(Counter.RX_SLOTS);
            reports += script.counters().get(Counter.ACKS_RECEIVED);
        }
        assertThat(slots).isGreaterThan(10);
        assertThat(reports).isPositive();
    }

    @Property(tries = 150)
    @Covers({"R-SEC-002", "R-CONN-001", "R-OBS-003"})
    void beforeTheHandshake(@ForAll("mutations") List<Mutation> mutations) {
        Script script = new Script(small(), 1);
        App app = script.app(0, MEMORY, 16);
        script.endpoint().listen(Script.SERVICE, script.listener());
        long before = script.endpoint().memoryUse().bytes();
        for (Mutation one : mutations) {
            script.deliver(one.bytes(0, 0, 0), 0, Ecn.ECT_0).after(100_000);
            assertThat(script.endpoint().connectionIds()).isEmpty();
        }
        assertThat(script.endpoint().memoryUse().bytes()).isEqualTo(before);
        assertUntouched(app);
    }

    @Property(tries = 300)
    @Covers({"R-SEC-002", "R-MEM-002", "R-MEM-006"})
    void afterTheHandshake(@ForAll("mutations") List<Mutation> mutations) {
        Script script = new Script(small(), 2);
        App app = script.app(0, MEMORY, 16);
        ScriptPeer peer = script.connect(app);
        long before = script.endpoint().memoryUse().bytes();
        boolean isForged = false;
        for (Mutation one : mutations) {
            deliver(script, peer, one);
            isForged |= one.isSealed() && one.isTargeted();
            assertThat(script.endpoint().memoryUse().bytes()).isLessThanOrEqualTo(before);
        }
        // Who knows the number and the seed may end the connection, once; nobody else may do anything.
        assertThat(script.events()).startsWith("established").hasSizeLessThanOrEqualTo(isForged ? 3 : 1);
        assertUntouched(app);
    }

    @Property(tries = 40)
    @Covers({"R-SEC-002", "R-SEC-005", "R-HDR-007"})
    void afterTheHandshakeOfAnEncryptedConnection(@ForAll("mutations") List<Mutation> mutations) {
        World world = World.ofSeed(3);
        Fabric fabric = Topology.pair(world, Topology.Pair.skewed(1));
        EndpointConfig config = small().withSecurity(SecurityConfig.NONE.withPresharedKey(KEY));
        Node a = new Node(fabric, "a", config, 1, MEMORY, 16);
        Node b = new Node(fabric, "b", config, 1, MEMORY, 16);
        List<byte[]> genuine = new ArrayList<>();
        world.observe(new PacketObserver() {
            @Override
            public void delivered(long timePs, int node, int packet) {
                byte[] bytes = new byte[world.packets().length(packet)];
                world.packets().bytes(packet).get(world.packets().offset(packet), bytes);
                if (node == b.host.attachment().node()) {
                    genuine.add(bytes);
                }
            }
        });
        a.connected(b);
        byte[] was = bytes(b.app());
        long before = b.host.endpoint().memoryUse().bytes();
        for (Mutation one : mutations) {
            feed(world, b, one.bytes(b.connection(), 0, 0));
            byte[] spoiled = genuine.get(one.seed() % genuine.size()).clone();
            spoiled[one.at() % spoiled.length] ^= (byte) (1 + (one.value() & 0x7F));
            feed(world, b, spoiled);
        }
        assertThat(bytes(b.app())).isEqualTo(was);
        assertThat(b.host.endpoint().memoryUse().bytes()).isEqualTo(before);
        a.app().post(1, WrOpcode.RDMA_WRITE, new App.Range(0, 8), b.app().at(0, 0));
        assertThat(world.runUntil(() -> !a.app().poll().isEmpty(), 1_000_000_000L))
                .isTrue();
        assertThat(a.app().poll().get(0).status()).isEqualTo(WcStatus.SUCCESS);
    }

    @Provide
    Arbitrary<List<Mutation>> mutations() {
        Arbitrary<Boolean> mostly = Arbitraries.of(true, true, true, false);
        return Combinators.combine(
                        Arbitraries.integers().between(0, Corpus.SEEDS.size() - 1),
                        Arbitraries.of(Kind.class),
                        Arbitraries.integers().between(0, 127),
                        Arbitraries.integers(),
                        mostly,
                        mostly)
                .as(Mutation::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(60);
    }

    private static void deliver(Script script, ScriptPeer peer, Mutation one) {
        byte[] bytes = one.bytes(
                peer.theirConnId(),
                peer.theirParameters().crcSeed(),
                peer.parameters().psnSeed());
        script.deliver(bytes, 0, Ecn.ECT_0).after(10_000);
    }

    private static void feed(World world, Node victim, byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(Math.max(bytes.length, 1));
        buffer.put(0, bytes);
        Datagram datagram = new Datagram().set(buffer, 0, bytes.length, 0, Ecn.ECT_0, () -> NOWHERE);
        victim.host.endpoint().onDatagram(world.nowNs(), datagram);
        victim.host.touched();
        world.run(1_000);
    }

    private static byte[] bytes(App app) {
        byte[] bytes = new byte[app.memory().capacity()];
        app.memory().get(0, bytes);
        return bytes;
    }

    private static void assertUntouched(App app) {
        assertThat(bytes(app)).containsOnly(0);
    }

    private static EndpointConfig small() {
        EndpointConfig config = Profiles.model();
        return config.withPath(config.path().withPaths(4))
                .withLimits(new EndpointLimits(16, 256, 16, 16, 16, EndpointLimits.TRANSPORT_BYTES));
    }
}
