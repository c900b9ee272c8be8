package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.metaroce.datagram.TrafficClass;
import io.metaroce.num.SplitMix64;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fabric against closed forms and against a published figure of another simulator. */
class ValidationTest {
    private static final long RATE = 100_000_000_000L;
    private static final long BYTE_PS = 80;

    /**
     * 2,000,000 bytes in frames of 4,150 of which 64 are headers, 100 Gbit/s, six links of 1 us: uet-htsim prints 176.2
     * us from the first bit to the last answer of 64 bytes. Frames here cannot be as short as 66 bytes, so answers have
     * 80.
     */
    @Test
    void oneFlowOverSixLinksTakesWhatAnotherSimulatorSays() {
        World world = World.ofSeed(1);
        LinkConfig port = LinkConfig.port(RATE, SimTime.US, 1L << 30);
        Fabric fabric = chain(world, port);
        MessageNode a = new MessageNode(world, fabric.attachment("a"));
        MessageNode b = new MessageNode(world, fabric.attachment("b"));
        a.sends(2_000_000, b);
        world.run(1_000_000);
        long serial = (2_000_000 + 490 * 64) * BYTE_PS;
        long forwarding = 5 * 4_150 * BYTE_PS;
        long answer = 6 * (MessageNode.ANSWER_BYTES * BYTE_PS + SimTime.US);
        assertThat(a.answeredAtPs).isEqualTo(serial + forwarding + 6 * SimTime.US + answer);
        assertThat(a.answeredAtPs).isBetween(176_200_000L - 4_150 * BYTE_PS, 176_200_000L + 4_150 * BYTE_PS);
    }

    /** Mean wait, in service times, of random arrivals at a port of constant service: load / (2 (1 - load)). */
    @ParameterizedTest
    @CsvSource({"50, 1000000", "80, 1000000", "95, 12000000"})
    void randomArrivalsWaitAsTheFormulaSays(int loadPercent, int packets) {
        World world = new World(WorldConfig.ofSeed(7).withPacketBytes(64));
        // The NIC is a thousand times as fast as the port, so arrivals at the port are those of the source.
        NicConfig nic = NicConfig.ofGbit(100_000);
        LinkConfig port = LinkConfig.port(RATE, 0, 1L << 40);
        Fabric fabric = Topology.star(world, new Topology.Star(2, 1, nic, port));
        PoissonNode source = new PoissonNode(world, fabric.attachment("h0"), "test.poisson", loadPercent, packets);
        PoissonNode sink = new PoissonNode(world, fabric.attachment("h1"), "test.poisson", loadPercent, 0);
        world.run(1_000_000_000_000L);
        assertThat(sink.arrived()).isEqualTo(packets);
        assertThat(source.arrived()).isZero();
        double load = loadPercent / 100.0;
        double servicesWaited = (double) sink.delaySumPs() / packets / PoissonNode.SERVICE_PS - 1;
        assertThat(servicesWaited).isCloseTo(load / (2 * (1 - load)), withinPercentage(2));
    }

    /**
     * Random arrivals at a port of constant service with room for so many: the share that is lost, by the chain
     * embedded at departures. Both kinds of ports.
     */
    @ParameterizedTest
    @CsvSource({"90, 3, false", "90, 5, false", "90, 10, false", "90, 5, true", "120, 4, true"})
    void aShortQueueLosesWhatTheFormulaSays(int loadPercent, int room, boolean isExact) {
        int packets = 1_000_000;
        World world = new World(WorldConfig.ofSeed(7).withPacketBytes(64));
        LinkConfig port = LinkConfig.port(RATE, 0, (long) room * PoissonNode.WIRE_BYTES);
        Fabric fabric = Topology.star(world, new Topology.Star(2, 1, NicConfig.ofGbit(100_000), port));
        if (isExact) {
            fabric.exactPorts(PortConfig.PLAIN);
        }
        PoissonNode source = new PoissonNode(world, fabric.attachment("h0"), "test.poisson", loadPercent, packets);
        PoissonNode sink = new PoissonNode(world, fabric.attachment("h1"), "test.poisson", loadPercent, 0);
        world.run(1_000_000_000_000L);
        assertThat(source.arrived()).isZero();
        double lost = 1 - (double) sink.arrived() / packets;
        assertThat(lost).isCloseTo(lossOfShortQueue(loadPercent / 100.0, room), withinPercentage(5));
    }

    // M/D/1/K: probabilities of 0..K-1 packets left behind, not yet scaled, from one equation after the other.
    private static double lossOfShortQueue(double load, int room) {
        double[] arrivals = new double[room + 1];
        arrivals[0] = Math.exp(-load);
        for (int i = 1; i <= room; i++) {
            arrivals[i] = arrivals[i - 1] * load / i;
        }
        double[] left = new double[room];
        left[0] = 1;
        double sum = 1;
        for (int j = 0; j + 1 < room; j++) {
            double next = left[j] - left[0] * arrivals[j];
            for (int i = 1; i <= j; i++) {
                next -= left[i] * arrivals[j - i + 1];
            }
            left[j + 1] = next / arrivals[0];
            sum += left[j + 1];
        }
        return 1 - 1 / (left[0] / sum + load);
    }

    /**
     * A ring whose neighbours are under different leaves: with so many ports a flow, hashed once, the busiest link of
     * 64 hosts, 8 leaves and 8 spines allows this part of line rate. Predicted: 0.29, 0.46, 0.64, 0.71.
     */
    @ParameterizedTest
    @CsvSource({"1, 29", "4, 46", "16, 64", "32, 71"})
    void hashingBoundsARing(int ports, int percent) {
        double sum = 0;
        int seeds = 40;
        for (int seed = 1; seed <= seeds; seed++) {
            sum += boundOfRing(seed, ports);
        }
        assertThat(100 * sum / seeds).isBetween(percent - 3.0, percent + 3.0);
    }

    private static double boundOfRing(long seed, int ports) {
        World world = World.ofSeed(seed);
        LinkConfig port = LinkConfig.port(RATE, SimTime.US, 1L << 30);
        Fabric fabric =
                Topology.leafSpine(world, new Topology.LeafSpine(8, 8, 8, 1, NicConfig.ofGbit(100), port, port));
        List<ToyNode> nodes = new ArrayList<>();
        for (Attachment place : fabric.attachments()) {
            nodes.add(ToyNode.on(fabric, place.name()));
        }
        for (int i = 0; i < nodes.size(); i++) {
            int[] next = {0};
            SplitMix64 draw = world.seeds().stream("ring.ports", i);
            int first = draw.nextInt(1 << 14);
            nodes.get(i).fromPorts(() -> first + next[0]++).sends(ports, 1000, nodes.get((i + 8) % nodes.size()));
        }
        world.run(1_000_000);
        long busiest = 0;
        for (Link link : fabric.links()) {
            busiest = Math.max(busiest, link.counters().offered());
        }
        return (double) ports / busiest;
    }

    // Five switches in a row: a star would have two links, a leaf-spine four.
    private static Fabric chain(World world, LinkConfig port) {
        Fabric fabric = new Fabric(world);
        NicConfig nic = NicConfig.ofGbit(100);
        Attachment a = fabric.addAttachment("a", 1, nic);
        Attachment b = fabric.addAttachment("b", 1, nic);
        Switch[] row = new Switch[5];
        for (int i = 0; i < row.length; i++) {
            row[i] = fabric.addSwitch("s" + i, 0);
        }
        LinkConfig wire = LinkConfig.wire(port.delayPs());
        a.port(0).feeds(new Link[] {fabric.addLink(name("a", "s0"), wire, row[0])});
        b.port(0).feeds(new Link[] {fabric.addLink(name("b", "s4"), wire, row[4])});
        for (int i = 0; i < row.length; i++) {
            LinkTarget right = i + 1 < row.length ? row[i + 1] : b;
            LinkTarget left = i > 0 ? row[i - 1] : a;
            row[i].route(b.node(), new Link[] {fabric.addLink(name("s" + i, "right" + i), port, right)});
            row[i].route(a.node(), new Link[] {fabric.addLink(name("s" + i, "left" + i), port, left)});
        }
        world.built(fabric);
        return fabric;
    }

    private static LinkName name(String from, String to) {
        return new LinkName(0, from + "-" + to, from, to);
    }

    /** Sends one message; the other side answers every packet; when the last answer came is kept. */
    private static final class MessageNode implements EdgeNode {
        static final int ANSWER_BYTES = PacketPool.OVERHEAD_BYTES + 14;
        private static final int PAYLOAD_BYTES = 4086;
        private static final int HEADER_BYTES = 64;

        private final World world;
        private final Attachment place;
        private int peer;
        private int left;
        private long answeredAtPs;

        MessageNode(World world, Attachment place) {
            this.world = world;
            this.place = place;
            place.attach(this);
        }

        void sends(int bytes, MessageNode to) {
            left = bytes;
            peer = to.place.node();
            place.rekey();
        }

        @Override
        public void onArrival(long timePs, int packet) {
            boolean isAnswer = world.packets().trafficClass(packet) == TrafficClass.CONTROL;
            int from = world.packets().source(packet);
            world.packets().release(packet);
            if (isAnswer) {
                answeredAtPs = timePs;
            } else {
                send(timePs, ANSWER_BYTES, from, TrafficClass.CONTROL);
            }
        }

        @Override
        public void onWake(long timePs) {
            if (left > 0 && place.port(0).hasRoom(timePs)) {
                int payload = Math.min(left, PAYLOAD_BYTES);
                left -= payload;
                send(timePs, payload + HEADER_BYTES, peer, TrafficClass.DATA);
            }
        }

        @Override
        public long nextWakePs() {
            return left > 0 ? place.port(0).freeAtPs() : SimTime.NEVER;
        }

        private void send(long timePs, int wireBytes, int to, TrafficClass trafficClass) {
            int packet = world.packets().take(8, wireBytes - PacketPool.OVERHEAD_BYTES);
            world.packets().trafficClass(packet, trafficClass);
            world.packets().address(packet, place.node(), 1, to, 2);
            place.port(0).send(timePs, packet);
        }
    }
}
