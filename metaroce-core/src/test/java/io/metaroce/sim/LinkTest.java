package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.datagram.Ecn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LinkTest {
    private static final int WIRE_BYTES = 1000; // 80 ns at 100 Gbit/s
    private static final long SERIAL_PS = 80 * SimTime.NS;

    @Test
    void packetsTakeTheirTimeOnTheWireAndKeepTheirOrder() {
        ToyNode b = run(LinkConfig.wire(SimTime.US), 5);
        assertThat(b.arrivals()).containsExactly(0L, 1L, 2L, 3L, 4L);
        for (int i = 0; i < 5; i++) {
            assertThat(b.arrivedAt().get(i)).isEqualTo((i + 1) * SERIAL_PS + SimTime.US);
        }
    }

    @Test
    void aSlowerPortSpreadsThemAndItsQueueGrows() {
        // 100 Gbit/s in, 50 Gbit/s out.
        World world = World.ofSeed(1);
        Fabric fabric = pair(world, LinkConfig.port(50_000_000_000L, 0, 1 << 20));
        ToyNode b = ToyNode.on(fabric, "b");
        ToyNode.on(fabric, "a").sends(4, WIRE_BYTES, b);
        world.run(100_000);
        for (int i = 0; i < 4; i++) {
            assertThat(b.arrivedAt().get(i)).isEqualTo(SERIAL_PS + (i + 1) * 2L * SERIAL_PS);
        }
        assertThat(there(fabric).counters().waitMaxPs()).isEqualTo(3 * SERIAL_PS);
    }

    @Test
    void aPacketMeetsItsFate() {
        World world = World.ofSeed(1);
        Fabric fabric = pair(world, LinkConfig.wire(SimTime.US));
        world.faults(FaultScript.parse("packet 2 drop\npacket 3 twice\npacket 4 late 1us\npacket 5 twice after 1us"));
        ToyNode b = ToyNode.on(fabric, "b");
        ToyNode.on(fabric, "a").sends(7, WIRE_BYTES, b);
        world.run(100_000);
        assertThat(b.arrivals()).containsExactly(0L, 2L, 2L, 4L, 5L, 6L, 3L, 4L);
        assertThat(world.conservation().fault()).isEmpty();
    }

    @Test
    void aBadLinkLosesInRuns() {
        LinkConfig.Faults faults =
                LinkConfig.Faults.NONE.withGilbert(new LinkConfig.Gilbert(10_000, 100_000, 1_000_000));
        ToyNode b = run(LinkConfig.wire(SimTime.US).withFaults(faults), 20_000);
        int runs = 0;
        for (int i = 1; i < b.arrivals().size(); i++) {
            runs += b.arrivals().get(i) - b.arrivals().get(i - 1) > 1 ? 1 : 0;
        }
        int lost = 20_000 - b.arrivals().size();
        // One in eleven packets finds the link bad, and it stays so for ten packets on average.
        assertThat(lost).isBetween(1_400, 2_300);
        assertThat(lost / runs).isBetween(8, 12);
    }

    @Test
    void aPacketIsCutShort() {
        World world = World.ofSeed(1);
        Fabric fabric =
                pair(world, LinkConfig.wire(SimTime.US).withFaults(LinkConfig.Faults.NONE.withTruncation(Chance.PPM)));
        List<Integer> lengths = new ArrayList<>();
        world.observe(new PacketObserver() {
            @Override
            public void delivered(long timePs, int node, int packet) {
                lengths.add(world.packets().length(packet));
            }
        });
        ToyNode b = ToyNode.on(fabric, "b");
        ToyNode.on(fabric, "a").sends(50, WIRE_BYTES, b);
        world.run(100_000);
        assertThat(lengths).hasSize(50).allMatch(length -> length < WIRE_BYTES - PacketPool.OVERHEAD_BYTES);
        assertThat(world.conservation().fault()).isEmpty();
    }

    @Test
    void aFullQueueDropsTheNewest() {
        // Room for two packets in the port; four times slower than the sender.
        World world = World.ofSeed(1);
        Fabric fabric = pair(world, LinkConfig.port(25_000_000_000L, 0, 2 * WIRE_BYTES));
        ToyNode b = ToyNode.on(fabric, "b");
        ToyNode.on(fabric, "a").sends(5, WIRE_BYTES, b);
        world.run(100_000);
        // Packet 0 leaves the port at 5 S, 1 comes at 2 S and waits 3 S of the 8 S allowed, 2 comes at 3 S: 6 S + 4 S >
        // 8 S.
        assertThat(b.arrivals()).containsExactly(0L, 1L, 4L);
        assertThat(there(fabric).counters().dropped(DropCause.QUEUE)).isEqualTo(2);
        assertThat(world.conservation().fault()).isEmpty();
    }

    @Test
    void theRampMarksInProportion() {
        EcnRamp ramp = new EcnRamp(10_000, 20_000, 500_000);
        int[] random = {0, 0x4000_0000, 0x7FFF_FFFF, -1};
        assertThat(ramp.marks(10_000, 0)).isFalse();
        assertThat(ramp.marks(20_001, -1)).isTrue();
        // Half way up a ramp that ends at 1/2: one in four.
        int marked = 0;
        for (int r : random) {
            marked += ramp.marks(15_000, r) ? 1 : 0;
        }
        assertThat(marked).isEqualTo(1);
    }

    @Test
    void aForcedQueueIsMarkedLinearly() {
        // 200 packets at twice the rate of the port: the queue grows by half a packet with each, up to 100 packets.
        EcnRamp ramp = new EcnRamp(0, 100L * WIRE_BYTES, 1_000_000);
        World world = World.ofSeed(3);
        Fabric fabric = pair(world, LinkConfig.port(50_000_000_000L, 0, 1 << 20).withEcn(ramp));
        ToyNode b = ToyNode.on(fabric, "b");
        ToyNode.on(fabric, "a").sends(200, WIRE_BYTES, b);
        world.run(100_000);
        long low =
                b.codepoints().subList(0, 100).stream().filter(e -> e == Ecn.CE).count();
        long high = b.codepoints().subList(100, 200).stream()
                .filter(e -> e == Ecn.CE)
                .count();
        assertThat(low).isBetween(13L, 37L); // 25 expected
        assertThat(high).isBetween(63L, 87L); // 75 expected
        assertThat(there(fabric).counters().marked()).isEqualTo(low + high);
    }

    @Test
    void aPacketThatIsNotCapableIsNeverMarked() {
        World world = World.ofSeed(1);
        Fabric fabric = pair(world, LinkConfig.wire(0).withEcn(EcnRamp.ALL));
        PacketPool packets = world.packets();
        ToyNode b = ToyNode.on(fabric, "b");
        ToyNode.on(fabric, "a");
        int packet = packets.take(100);
        packets.address(packet, 0, 1, 1, 2);
        fabric.attachment("a").port(0).send(0, packet);
        world.run(1000);
        assertThat(b.codepoints()).containsExactly(Ecn.NOT_ECT);
    }

    @Test
    void lossHitsItsShare() {
        ToyNode b = run(LinkConfig.wire(0).withLoss(50_000), 20_000);
        assertThat(b.arrivals().size()).isBetween(18_850, 19_150); // 19,000 expected, 5 sigma = 154
    }

    @Test
    void lossInBurstsHitsTheSameShareInRuns() {
        LinkConfig.Faults faults = LinkConfig.Faults.NONE.withLoss(50_000, 4);
        ToyNode b = run(LinkConfig.wire(0).withFaults(faults), 20_000);
        assertThat(b.arrivals().size()).isBetween(18_600, 19_400);
        List<Long> gaps = new ArrayList<>();
        for (int i = 1; i < b.arrivals().size(); i++) {
            long gap = b.arrivals().get(i) - b.arrivals().get(i - 1) - 1;
            if (gap > 0) {
                gaps.add(gap);
            }
        }
        assertThat(gaps).allMatch(gap -> gap % 4 == 0);
    }

    @Test
    void duplicatesComeTwiceAndLate() {
        LinkConfig.Faults faults = LinkConfig.Faults.NONE.withDuplicates(100_000, 2 * SimTime.US);
        ToyNode b = run(LinkConfig.wire(0).withFaults(faults), 2_000);
        assertThat(b.arrivals().size()).isBetween(2_120, 2_280);
        assertThat(new TreeSet<>(b.arrivals())).hasSize(2_000);
        assertThat(inOrder(b.arrivals())).isFalse();
    }

    @Test
    void reorderedPacketsAreOvertakenByExactlySoMany() {
        LinkConfig.Faults faults = LinkConfig.Faults.NONE.withReordering(20_000, 3, 100 * SimTime.US);
        ToyNode b = run(LinkConfig.wire(SimTime.US).withFaults(faults), 2_000);
        assertThat(b.arrivals()).hasSize(2_000);
        assertThat(inOrder(b.arrivals())).isFalse();
        for (int i = 1; i < 1_990; i++) {
            long number = b.arrivals().get(i);
            long before = b.arrivals().get(i - 1);
            if (number < before) {
                assertThat(before - number)
                        .as("packet %d comes after %d", number, before)
                        .isEqualTo(3);
            }
        }
    }

    @Test
    void aPacketNobodyOvertakesComesAtItsLatestTime() {
        LinkConfig.Faults faults = LinkConfig.Faults.NONE.withReordering(1_000_000, 3, 5 * SimTime.US);
        ToyNode b = run(LinkConfig.wire(0).withFaults(faults), 1);
        assertThat(b.arrivedAt()).containsExactly(SERIAL_PS + 5 * SimTime.US);
    }

    @Test
    void latePacketsAreOvertakenToo() {
        LinkConfig.Faults faults = LinkConfig.Faults.NONE.withReordering(20_000, 0, SimTime.US);
        ToyNode b = run(LinkConfig.wire(SimTime.US).withFaults(faults), 2_000);
        assertThat(new TreeSet<>(b.arrivals())).hasSize(2_000);
        assertThat(inOrder(b.arrivals())).isFalse();
    }

    @Test
    void withoutFaultsNothingIsEverOvertaken() {
        assertThat(inOrder(run(LinkConfig.wire(SimTime.US), 2_000).arrivals())).isTrue();
    }

    @Test
    void corruptionFlipsOneBitInTheHalfItIsMeantFor() {
        LinkConfig.Faults faults = LinkConfig.Faults.NONE.withCorruption(1_000_000, 0);
        World world = World.ofSeed(5);
        Fabric fabric = pair(world, LinkConfig.wire(0).withFaults(faults));
        int[] flipped = {0, 0};
        fabric.attachment("b").attach(new EdgeNode() {
            @Override
            public void onArrival(long timePs, int packet) {
                PacketPool packets = world.packets();
                assertThat(packets.isCorrupted(packet)).isTrue();
                for (int i = 0; i < packets.length(packet); i++) {
                    flipped[i < 64 ? 0 : 1] +=
                            Integer.bitCount(packets.bytes(packet).get(packets.offset(packet) + i) & 0xFF);
                }
                packets.release(packet);
            }

            @Override
            public void onWake(long timePs) {}

            @Override
            public long nextWakePs() {
                return SimTime.NEVER;
            }
        });
        sendZeros(world, fabric, 100);
        world.run(100_000);
        assertThat(flipped[0]).isEqualTo(100);
        assertThat(flipped[1]).isZero();
    }

    @Test
    void healingTakesBackThatALinkIsNarrow() {
        World world = World.ofSeed(1);
        Fabric fabric = pair(world, LinkConfig.wire(SimTime.US));
        ToyNode b = ToyNode.on(fabric, "b");
        there(fabric).narrow(100);
        there(fabric).heal();
        ToyNode.on(fabric, "a").sends(1, WIRE_BYTES, b);
        world.run(10_000);
        assertThat(b.arrivals()).hasSize(1);
    }

    @Test
    void aLinkThatGoesDownLosesWhatIsOnIt() {
        World world = World.ofSeed(1);
        Fabric fabric = pair(world, LinkConfig.wire(10 * SimTime.US));
        ToyNode b = ToyNode.on(fabric, "b");
        ToyNode.on(fabric, "a").sends(100, WIRE_BYTES, b);
        world.at(4 * SimTime.US, () -> there(fabric).down(world.nowPs()));
        world.at(6 * SimTime.US, () -> there(fabric).up());
        world.run(1_000_000);
        // The port sends packet n from n to n + 1 S; what is given to the link from 6 us on arrives.
        assertThat(b.arrivals().get(0)).isEqualTo(75L);
        assertThat(there(fabric).counters().dropped(DropCause.DOWN)).isEqualTo(75);
        assertThat(world.conservation().fault()).isEmpty();
        assertThat(world.packets().inUse()).isZero();
    }

    private static void sendZeros(World world, Fabric fabric, int count) {
        PacketPool packets = world.packets();
        NicPort port = fabric.attachment("a").port(0);
        for (int i = 0; i < count; i++) {
            world.runUntil(() -> port.hasRoom(world.nowPs()), 1_000);
            int packet = packets.take(WIRE_BYTES);
            for (int k = 0; k < WIRE_BYTES; k++) {
                packets.bytes(packet).put(packets.offset(packet) + k, (byte) 0);
            }
            packets.address(packet, 0, 1, 1, 2);
            port.send(world.nowPs(), packet);
        }
    }

    private static ToyNode run(LinkConfig link, int count) {
        World world = World.ofSeed(7);
        Fabric fabric = pair(world, link);
        ToyNode b = ToyNode.on(fabric, "b");
        ToyNode.on(fabric, "a").sends(count, WIRE_BYTES, b);
        world.run(1_000_000_000);
        assertThat(world.conservation().fault()).isEmpty();
        assertThat(world.packets().inUse()).isZero();
        return b;
    }

    private static Fabric pair(World world, LinkConfig link) {
        return Topology.pair(world, Topology.Pair.plain().withLink(link));
    }

    private static Link there(Fabric fabric) {
        return fabric.attachment("a").port(0).link(0);
    }

    private static boolean inOrder(List<Long> numbers) {
        List<Long> sorted = new ArrayList<>(numbers);
        Collections.sort(sorted);
        return sorted.equals(numbers);
    }
}
