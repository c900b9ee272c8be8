package io.metaroce.sim.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.num.SplitMix64;
import io.metaroce.sim.EcnRamp;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.FaultScript;
import io.metaroce.sim.Link;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.NicConfig;
import io.metaroce.sim.PfcConfig;
import io.metaroce.sim.PortConfig;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages over the models of RoCEv2: in order whatever happens, over pauses and over routing that adapts. */
class RoceChannelTest {
    private static final long RATE = 100_000_000_000L;
    private static final long FOREVER_NS = 10_000_000_000L;

    /** What a host is told. */
    private static final class Heard implements RoceListener {
        final List<Integer> arrived = new ArrayList<>();
        final List<Integer> sent = new ArrayList<>();

        @Override
        public void arrived(long timePs, RoceChannel over, int immediate) {
            arrived.add(immediate);
        }

        @Override
        public void sent(long timePs, RoceChannel over, int tag) {
            sent.add(tag);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1, false", "1, 16, false", "2, 3, false", "3, 1, true", "4, 16, true"})
    void messagesOfAnyLengthArriveOnceAndInOrder(long seed, int queuePairs, boolean isSelective) {
        World world = World.ofSeed(seed);
        LinkConfig port = LinkConfig.port(RATE, SimTime.US, 100_000).withLoss(10_000);
        Fabric fabric =
                Topology.leafSpine(world, new Topology.LeafSpine(2, 4, 1, 1, NicConfig.ofGbit(100), port, port));
        RoceConfig config = isSelective ? RoceConfig.selective(RATE, 8 * SimTime.US) : RoceConfig.goBackN(null);
        RoceHost a = RoceHost.attach(fabric.attachment("h0"), config);
        RoceHost b = RoceHost.attach(fabric.attachment("h1"), config);
        Heard atA = new Heard();
        Heard atB = new Heard();
        a.listener(atA);
        b.listener(atB);
        RoceChannel channel = a.open(b, IntStream.range(0, queuePairs).toArray());
        RoceChannel back = b.open(a, 7);
        SplitMix64 draw = world.seeds().stream("test.messages", 0);
        for (int i = 0; i < 300; i++) {
            channel.send(i % 10 == 0 ? 0 : draw.nextInt(20_000), 1_000 + i, i);
        }
        back.send(100_000, 5, 6);
        assertThat(world.runUntil(() -> channel.outstanding() + back.outstanding() == 0, FOREVER_NS))
                .isTrue();
        assertThat(atB.arrived).isEqualTo(IntStream.range(0, 300).boxed().toList());
        assertThat(atA.sent).hasSize(300).doesNotHaveDuplicates().allMatch(tag -> tag >= 1_000);
        assertThat(atA.arrived).containsExactly(6);
        assertThat(atB.sent).containsExactly(5);
        assertThat(world.conservation().fault()).isEmpty();
    }

    @Test
    void aMessageMayBeSentWhenAnotherHasCome() {
        World world = World.ofSeed(1);
        Fabric fabric = Topology.pair(world, Topology.Pair.plain());
        RoceConfig config = RoceConfig.goBackN(null);
        RoceHost a = RoceHost.attach(fabric.attachment("a"), config);
        RoceHost b = RoceHost.attach(fabric.attachment("b"), config);
        RoceChannel there = a.open(b, 1);
        RoceChannel back = b.open(a, 1);
        int[] rounds = {0};
        b.listener(new RoceListener() {
            @Override
            public void arrived(long timePs, RoceChannel over, int immediate) {
                back.send(10_000, 0, immediate);
            }
        });
        a.listener(new RoceListener() {
            @Override
            public void arrived(long timePs, RoceChannel over, int immediate) {
                rounds[0] = immediate;
                if (immediate < 50) {
                    there.send(10_000, 0, immediate + 1);
                }
            }
        });
        there.send(10_000, 0, 1);
        world.run(1_000_000_000);
        assertThat(rounds[0]).isEqualTo(50);
        assertThat(world.packets().inUse()).isZero();
    }

    @Test
    void numbersOfQueuePairsAreNotCutShort() {
        World world = World.ofSeed(1);
        Fabric fabric = Topology.pair(world, Topology.Pair.plain());
        RoceConfig config = RoceConfig.goBackN(null);
        RoceHost a = RoceHost.attach(fabric.attachment("a"), config);
        RoceHost b = RoceHost.attach(fabric.attachment("b"), config);
        Heard heard = new Heard();
        b.listener(heard);
        int queuePairs = (1 << 16) + 2;
        RoceChannel channel = a.open(b, new int[queuePairs]);
        for (int i = 0; i < queuePairs; i++) {
            channel.send(1, i, i);
        }
        assertThat(world.runUntil(() -> channel.outstanding() == 0, FOREVER_NS)).isTrue();
        assertThat(heard.arrived).hasSize(queuePairs);
        assertThat(channel.sentPackets()).isEqualTo(queuePairs);
    }

    /** Eight hosts of other leaves write to one: with pauses nothing is lost or sent again, and no time either. */
    @ParameterizedTest
    @CsvSource({"1, false", "16, false", "1, true", "16, true"})
    void withPausesNothingIsLost(int queuePairs, boolean controls) {
        World world = World.ofSeed(2);
        LinkConfig port = LinkConfig.port(RATE, SimTime.US, 0).withEcn(new EcnRamp(400_000, 1_600_000, 200_000));
        Fabric fabric =
                Topology.leafSpine(world, new Topology.LeafSpine(3, 4, 4, 1, NicConfig.ofGbit(100), port, port));
        PfcConfig pfc = PfcConfig.ofLink(RATE, SimTime.US, RocePacket.WIRE_BYTES_MAX + 16, SimTime.US);
        fabric.exactPorts(PortConfig.PLAIN.withShared(4_000_000, 32).withPauses(pfc));
        RoceConfig config = RoceConfig.goBackN(controls ? DcqcnConfig.vendor(RATE) : null);
        List<RoceHost> hosts = fabric.attachments().stream()
                .map(place -> RoceHost.attach(place, config))
                .toList();
        List<RoceChannel> channels = new ArrayList<>();
        SplitMix64 draw = world.seeds().stream("test.ports", 0);
        for (int i = 4; i < 12; i++) {
            int[] ports = IntStream.generate(() -> draw.nextInt(1024))
                    .limit(queuePairs)
                    .toArray();
            RoceChannel channel = hosts.get(i).open(hosts.get(0), ports);
            for (int j = 0; j < 64; j++) {
                channel.send(64 << 10, 0, j);
            }
            channels.add(channel);
        }
        assertThat(world.runUntil(() -> channels.stream().allMatch(one -> one.outstanding() == 0), FOREVER_NS))
                .isTrue();
        assertThat(world.conservation().droppedPackets()).isZero();
        assertThat(channels).allMatch(channel -> channel.sentPackets() == 64 * 16);
        assertThat(fabric.pfcCounters().pauses()).isPositive();
        assertThat(fabric.pfcCounters().headroomMaxBytes()).isLessThanOrEqualTo(pfc.headroomBytes());
        double least = 8.0 * 64 * 16 * RocePacket.WIRE_BYTES_MAX * 80 / SimTime.US;
        assertThat(world.nowPs() / (double) SimTime.US).isBetween(least, controls ? 1.5 * least : 1.05 * least);
    }

    /** Packets of one queue pair overtake each other where routing adapts; hardly any is taken for lost. */
    @ParameterizedTest
    @CsvSource({"0, false", "32, true"})
    void whoKnowsOfOvertakingSendsHardlyAnythingTwice(int reorderPackets, boolean isPatient) {
        World world = World.ofSeed(1);
        LinkConfig port = LinkConfig.port(RATE, SimTime.US, 1_000_000);
        Fabric fabric =
                Topology.leafSpine(world, new Topology.LeafSpine(4, 4, 4, 1, NicConfig.ofGbit(100), port, port));
        fabric.adaptiveRouting();
        RoceConfig config = RoceConfig.selective(RATE, 12 * SimTime.US).withReordering(reorderPackets);
        List<RoceHost> hosts = fabric.attachments().stream()
                .map(place -> RoceHost.attach(place, config))
                .toList();
        List<RoceChannel> channels = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            RoceChannel channel = hosts.get(i).open(hosts.get((i + 4) % 16), 5);
            channel.send(8 << 20, 0, 0);
            channels.add(channel);
        }
        world.faults(FaultScript.parse("at 0 link leaf0-spine1 rate 50%"));
        assertThat(world.runUntil(() -> channels.stream().allMatch(one -> one.outstanding() == 0), FOREVER_NS))
                .isTrue();
        long sent = channels.stream().mapToLong(RoceChannel::sentPackets).sum();
        assertThat(sent > 16 * 2048 * 101 / 100).isNotEqualTo(isPatient);
        long most = 0;
        for (Link link : fabric.links()) {
            most = Math.max(most, link.counters().droppedTotal());
        }
        assertThat(most).isZero();
    }
}
