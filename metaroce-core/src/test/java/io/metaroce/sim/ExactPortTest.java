package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.datagram.Ecn;
import io.metaroce.num.SplitMix64;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports with explicit departures: against ports with one event a hop, and what only they can do. */
class ExactPortTest {
    private static final long RATE = 100_000_000_000L;
    private static final int BYTES = 1000; // 80 ns at 100 Gbit/s
    private static final long SERIAL_PS = 80 * SimTime.NS;

    /** What one run of random traffic came to. */
    private record Outcome(
            List<List<Long>> arrivals, List<List<Long>> times, List<List<Ecn>> marks, List<Long> drops) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void dropTailQueuesDropAndDelayAlikeInBothKinds(long seed) {
        Outcome lazy = randomRun(seed, false);
        Outcome exact = randomRun(seed, true);
        assertThat(lazy.drops().stream().mapToLong(Long::longValue).sum()).isPositive();
        assertThat(exact).isEqualTo(lazy);
    }

    private static Outcome randomRun(long seed, boolean isExact) {
        World world = World.ofSeed(seed);
        SplitMix64 draw = world.seeds().stream("test.traffic", 0);
        LinkConfig port = LinkConfig.port(RATE, SimTime.US, 20_000)
                .withEcn(new EcnRamp(4_000, 12_000, 800_000))
                .withLoss(5_000);
        Fabric fabric =
                Topology.leafSpine(world, new Topology.LeafSpine(3, 2, 3, 1, NicConfig.ofGbit(100), port, port));
        if (isExact) {
            fabric.exactPorts(PortConfig.PLAIN);
        }
        List<ToyNode> nodes = new ArrayList<>();
        for (Attachment place : fabric.attachments()) {
            nodes.add(ToyNode.on(fabric, place.name()));
        }
        for (ToyNode node : nodes) {
            ToyNode target = nodes.get(draw.nextInt(3)); // the first leaf is crowded
            node.fromRandomPorts(64).sends(100 + draw.nextInt(300), 100 + draw.nextInt(1400), target);
        }
        world.run(1_000_000);
        assertThat(world.conservation().fault()).isEmpty();
        assertThat(world.packets().inUse()).isZero();
        return new Outcome(
                nodes.stream().map(ToyNode::arrivals).toList(),
                nodes.stream().map(ToyNode::arrivedAt).toList(),
                nodes.stream().map(ToyNode::codepoints).toList(),
                fabric.links().stream()
                        .map(link -> link.counters().dropped(DropCause.QUEUE))
                        .toList());
    }

    @Test
    void aPacketIsMarkedByWhatItLeavesBehindIfThatIsAsked() {
        // The queue grows by half a packet with each; the last leaves none behind.
        List<Ecn> atEnqueue = fiveThroughHalf(PortConfig.PLAIN);
        List<Ecn> atDequeue = fiveThroughHalf(PortConfig.PLAIN.withMarksAtDequeue());
        assertThat(atEnqueue).containsExactly(Ecn.ECT_0, Ecn.ECT_0, Ecn.CE, Ecn.CE, Ecn.CE);
        assertThat(atDequeue).containsExactly(Ecn.ECT_0, Ecn.ECT_0, Ecn.CE, Ecn.CE, Ecn.ECT_0);
    }

    private static List<Ecn> fiveThroughHalf(PortConfig config) {
        World world = World.ofSeed(1);
        LinkConfig port = LinkConfig.port(RATE / 2, 0, 1 << 20).withEcn(EcnRamp.step(900));
        Fabric fabric = Topology.star(world, new Topology.Star(2, 1, NicConfig.ofGbit(100), port))
                .exactPorts(config);
        ToyNode receiver = ToyNode.on(fabric, "h1");
        ToyNode.on(fabric, "h0").sends(5, BYTES, receiver);
        world.run(10_000);
        return receiver.codepoints();
    }

    @Test
    void aQueueThatDrainsMoreSlowlyMarksBeforeTheRealOneGrows() {
        World world = World.ofSeed(1);
        LinkConfig port = LinkConfig.port(RATE, 0, 1 << 20).withEcn(EcnRamp.step(5 * BYTES));
        Fabric fabric = Topology.star(world, new Topology.Star(2, 1, NicConfig.ofGbit(100), port))
                .exactPorts(PortConfig.PLAIN.withPhantom(95));
        ToyNode receiver = ToyNode.on(fabric, "h1");
        ToyNode.on(fabric, "h0").sends(300, BYTES, receiver);
        world.run(1_000_000);
        // Each packet leaves 1/19 of itself behind in the queue that is slower.
        assertThat(receiver.codepoints().indexOf(Ecn.CE)).isEqualTo(5 * 19 + 1);
        assertThat(receiver.arrivedAt().get(299)).isEqualTo(301 * SERIAL_PS);
    }

    @Test
    void sharedBytesGoToWhoeverNeedsThemButNotAllToOne() {
        // Two at full rate to one: with alpha of 1 a lone queue takes half of what all share, and no more.
        World world = World.ofSeed(1);
        LinkConfig port = LinkConfig.port(RATE, SimTime.US, 4 * BYTES);
        Fabric fabric = Topology.star(world, new Topology.Star(3, 1, NicConfig.ofGbit(100), port))
                .exactPorts(PortConfig.PLAIN.withShared(100L * BYTES, 256));
        ToyNode receiver = ToyNode.on(fabric, "h0");
        ToyNode.on(fabric, "h1").sends(400, BYTES, receiver);
        ToyNode.on(fabric, "h2").sends(400, BYTES, receiver);
        world.run(1_000_000);
        Link down = link(fabric, "hub", "h0");
        assertThat(down.counters().waitMaxPs()).isBetween(48 * SERIAL_PS, 50 * SERIAL_PS);
        // In 401 packet times 400 leave, some 50 wait, the rest is lost.
        assertThat(down.counters().dropped(DropCause.QUEUE)).isBetween(345L, 352L);
        assertThat(world.conservation().fault()).isEmpty();
    }

    @Test
    void aCutLosesWhatWaitsAndIsSent() {
        World world = World.ofSeed(1);
        LinkConfig port = LinkConfig.port(RATE / 4, SimTime.US, 1 << 20);
        Fabric fabric = Topology.star(world, new Topology.Star(2, 1, NicConfig.ofGbit(100), port))
                .exactPorts(PortConfig.PLAIN.withShared(1 << 20, 256));
        world.faults(FaultScript.parse("at 2us link h1-hub down\nat 5us link h1-hub up"));
        ToyNode receiver = ToyNode.on(fabric, "h1");
        ToyNode.on(fabric, "h0").sends(100, BYTES, receiver);
        world.run(1_000_000);
        assertThat(link(fabric, "hub", "h1").counters().dropped(DropCause.DOWN)).isPositive();
        assertThat(receiver.arrivals()).contains(99L);
        assertThat(world.conservation().fault()).isEmpty();
        assertThat(world.packets().inUse()).isZero();
    }

    @Test
    void theShorterOfTwoQueuesIsTakenIfRoutingAdapts() {
        Link[] hashed = upLinksUsed(false);
        Link[] adaptive = upLinksUsed(true);
        assertThat(hashed).filteredOn(link -> link.counters().offered() > 0).hasSize(1);
        assertThat(adaptive)
                .allMatch(link ->
                        link.counters().offered() > 80 && link.counters().offered() < 120);
    }

    // One flow of 800 packets from one source port to another leaf; eight spines.
    private static Link[] upLinksUsed(boolean adapts) {
        World world = World.ofSeed(1);
        LinkConfig port = LinkConfig.port(RATE / 8, SimTime.US, 1 << 20);
        Fabric fabric =
                Topology.leafSpine(world, new Topology.LeafSpine(2, 8, 1, 1, NicConfig.ofGbit(100), port, port));
        if (adapts) {
            fabric.adaptiveRouting();
        }
        ToyNode receiver = ToyNode.on(fabric, "h1");
        ToyNode.on(fabric, "h0").fromPort(7).sends(800, BYTES, receiver);
        world.run(1_000_000);
        return fabric.links().stream()
                .filter(link ->
                        link.name().from().equals("leaf0") && link.name().to().startsWith("spine"))
                .toArray(Link[]::new);
    }

    @Test
    void pausesNeedWhatTheyLiveOn() {
        PfcConfig pfc = PfcConfig.ofLink(RATE, SimTime.US, BYTES, SimTime.US);
        assertThatThrownBy(() -> PortConfig.PLAIN.withPauses(pfc)).hasMessageContaining("need shared bytes");
        Fabric fabric = Topology.star(
                World.ofSeed(1), new Topology.Star(4, 1, NicConfig.ofGbit(100), LinkConfig.port(RATE, SimTime.US, 1)));
        PortConfig little = PortConfig.PLAIN.withShared(100_000, 32).withPauses(pfc);
        assertThatThrownBy(() -> fabric.exactPorts(little)).hasMessageContaining("sets aside");
    }

    static Link link(Fabric fabric, String from, String to) {
        for (Link link : fabric.links()) {
            if (link.name().from().equals(from) && link.name().to().equals(to)) {
                return link;
            }
        }
        throw new AssertionError("no link from " + from + " to " + to);
    }
}
