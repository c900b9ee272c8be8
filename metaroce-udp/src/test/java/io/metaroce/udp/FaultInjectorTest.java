package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.datagram.Transmit;
import io.metaroce.engine.TransmitPort;
import io.metaroce.num.Deadline;
import io.metaroce.num.SplitMix64;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultInjectorTest {
    private static final Address PEER = Address.ipv4(0x7F000001, 5000);
    private static final int PACKETS = 10_000;

    /** Keeps what would have left. */
    private static final class Wire implements TransmitPort {
        private final List<Integer> numbers = new ArrayList<>();
        private final List<byte[]> packets = new ArrayList<>();
        private int planes = 1;

        @Override
        public int planesWithRoom() {
            return planes;
        }

        @Override
        public void send(Transmit packet) {
            ByteBuffer bytes = ByteBuffer.allocate(packet.length());
            packet.copyTo(bytes, 0);
            numbers.add(bytes.getInt(8));
            packets.add(bytes.array());
        }

        @Override
        public void flush() {}
    }

    private final Wire wire = new Wire();
    private long nowNs = 1_000;
    private final FaultControl control = new FaultControl(() -> nowNs);
    private final FaultInjector injector = injector(wire, control, 7);
    private final Transmit transmit = new Transmit();
    private final ByteBuffer memory = ByteBuffer.allocateDirect(4096);
    private int next;

    private FaultInjector injector(TransmitPort port, FaultControl faults, long seed) {
        return new FaultInjector(port, faults, () -> nowNs, new SplitMix64(seed));
    }

    private void send(FaultInjector through, Route route, TrafficClass trafficClass, int pathId, int connection) {
        transmit.reset();
        transmit.headerLength(16);
        transmit.header().putInt(0, pathId << 8);
        transmit.header().putInt(4, connection);
        transmit.header().putInt(8, next++);
        transmit.payload(memory, 100, 200);
        transmit.trailer(0x55AA55AA);
        transmit.trafficClass(trafficClass);
        transmit.route(route);
        through.send(transmit);
    }

    private void send(int entropy) {
        send(injector, new Route(0, entropy, PEER), TrafficClass.DATA, entropy, 1);
    }

    private void sendMany(int packets) {
        for (int i = 0; i < packets; i++) {
            send(0);
        }
    }

    @Test
    void withoutOrdersEverythingPasses() {
        sendMany(100);
        assertThat(wire.numbers).hasSize(100).isSorted();
        assertThat(control.statistics()).isEqualTo(new FaultStatistics(0, 0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void lossTakesItsShareAndCountsIt() {
        control.plan(FaultPlan.NONE.withLoss(0.1));
        sendMany(PACKETS);
        assertThat(control.statistics().lost()).isBetween(850L, 1150L);
        assertThat(wire.numbers).hasSize((int) (PACKETS - control.statistics().lost()));
        assertThat(control.statistics().passed()).isEqualTo(wire.numbers.size());
    }

    @Test
    void equalSeedsGiveEqualFates() {
        control.plan(FaultPlan.NONE
                .withLoss(0.2)
                .withDuplicate(0.1)
                .withReorder(0.1, 5)
                .withCorrupt(0.05));
        Wire other = new Wire();
        FaultInjector twin = injector(other, control, 7);
        sendMany(1000);
        next = 0;
        for (int i = 0; i < 1000; i++) {
            send(twin, new Route(0, 0, PEER), TrafficClass.DATA, 0, 1);
        }
        assertThat(other.numbers).isEqualTo(wire.numbers);
        Wire third = new Wire();
        FaultInjector stranger = injector(third, control, 8);
        next = 0;
        for (int i = 0; i < 1000; i++) {
            send(stranger, new Route(0, 0, PEER), TrafficClass.DATA, 0, 1);
        }
        assertThat(third.numbers).isNotEqualTo(wire.numbers);
    }

    @Test
    void oneKindOfFaultDoesNotShiftTheDrawsOfAnother() {
        control.plan(FaultPlan.NONE.withLoss(0.2));
        sendMany(1000);
        Wire other = new Wire();
        FaultInjector twin = injector(other, control, 7);
        control.plan(FaultPlan.NONE.withLoss(0.2).withCorrupt(0.5));
        next = 0;
        for (int i = 0; i < 1000; i++) {
            send(twin, new Route(0, 0, PEER), TrafficClass.DATA, 0, 1);
        }
        assertThat(other.packets).hasSameSizeAs(wire.packets);
    }

    @Test
    void duplicatesAreTheSameBytesTwice() {
        control.plan(FaultPlan.NONE.withDuplicate(1));
        sendMany(3);
        assertThat(wire.numbers).containsExactly(0, 0, 1, 1, 2, 2);
        assertThat(wire.packets.get(0)).isEqualTo(wire.packets.get(1));
        assertThat(control.statistics().duplicated()).isEqualTo(3);
    }

    @Test
    void corruptionFlipsOneBitAndNotInRegisteredMemory() {
        sendMany(1);
        control.plan(FaultPlan.NONE.withCorrupt(1));
        next = 0;
        for (int i = 0; i < 200; i++) {
            next = 0;
            sendMany(1);
            byte[] good = wire.packets.get(0);
            byte[] bad = wire.packets.get(1 + i);
            int bits = 0;
            for (int k = 0; k < good.length; k++) {
                bits += Integer.bitCount((good[k] ^ bad[k]) & 0xFF);
            }
            assertThat(bits).isEqualTo(1);
        }
        for (int k = 0; k < memory.capacity(); k++) {
            assertThat(memory.get(k)).isZero();
        }
    }

    @Test
    void reorderedPacketsArriveAfterAFewOthers() {
        control.plan(FaultPlan.NONE.withReorder(0.2, 4));
        sendMany(1000);
        nowNs += 1_000_000_000;
        injector.release(nowNs);
        assertThat(wire.numbers)
                .hasSize(1000)
                .isNotEqualTo(wire.numbers.stream().sorted().toList());
        for (int i = 0; i < 1000; i++) {
            // Those that are overtaken may be overtaken by others of their kind, too.
            assertThat(wire.numbers.indexOf(i)).isBetween(i - 20, i + 20);
        }
        assertThat(control.statistics().reordered()).isBetween(150L, 250L);
    }

    @Test
    void aPacketThatNobodyOvertakesLeavesAfterAWhile() {
        control.plan(FaultPlan.NONE.withReorder(1, 4));
        sendMany(1);
        assertThat(wire.numbers).isEmpty();
        assertThat(injector.nextDueNs()).isNotEqualTo(Deadline.NEVER);
        nowNs = injector.nextDueNs();
        injector.release(nowNs);
        assertThat(wire.numbers).containsExactly(0);
        assertThat(injector.nextDueNs()).isEqualTo(Deadline.NEVER);
    }

    @Test
    void delayedPacketsLeaveWhenTheyAreDueAndInOrder() {
        control.plan(FaultPlan.NONE.withDelay(Duration.ofNanos(500), Duration.ZERO));
        sendMany(1);
        nowNs += 100;
        sendMany(1);
        assertThat(wire.numbers).isEmpty();
        assertThat(injector.nextDueNs()).isEqualTo(1_500);
        injector.release(1_499);
        assertThat(wire.numbers).isEmpty();
        injector.release(1_500);
        assertThat(wire.numbers).containsExactly(0);
        injector.release(9_999);
        assertThat(wire.numbers).containsExactly(0, 1);
        assertThat(control.statistics().delayed()).isEqualTo(2);
    }

    @Test
    void heldPacketsWaitForRoom() {
        control.plan(FaultPlan.NONE.withDelay(Duration.ofNanos(500), Duration.ZERO));
        sendMany(2);
        wire.planes = 0;
        injector.release(5_000);
        assertThat(wire.numbers).isEmpty();
        wire.planes = 1;
        injector.release(5_001);
        assertThat(wire.numbers).hasSize(2);
    }

    @Test
    void onlyTheTargetIsHit() {
        control.plan(FaultPlan.NONE.withLoss(1));
        send(injector, new Route(0, Route.SERVICE, PEER), TrafficClass.CONTROL, 0, 1);
        send(0);
        assertThat(wire.numbers).containsExactly(0);
        control.plan(FaultPlan.NONE.withLoss(1).withTarget(FaultPlan.Target.CONTROL));
        send(injector, new Route(0, Route.SERVICE, PEER), TrafficClass.CONTROL, 0, 1);
        send(0);
        assertThat(wire.numbers).containsExactly(0, 3);
        control.plan(FaultPlan.NONE.withLoss(1).withTarget(FaultPlan.Target.ALL));
        send(injector, new Route(0, Route.SERVICE, PEER), TrafficClass.CONTROL, 0, 1);
        send(0);
        assertThat(wire.numbers).containsExactly(0, 3);
    }

    @Test
    void aCutEntropySwallowsItsDataAndNothingElse() {
        control.cut(Cut.entropy(2));
        send(1);
        send(2);
        send(injector, new Route(0, 2, PEER), TrafficClass.CONTROL, 2, 1);
        assertThat(wire.numbers).containsExactly(0, 2);
        control.restore();
        send(2);
        assertThat(wire.numbers).containsExactly(0, 2, 3);
        assertThat(control.statistics().cut()).isEqualTo(1);
    }

    @Test
    void aCutMayBeginAfterSomePacketsOfItsKind() {
        control.cut(Cut.entropy(2).afterPackets(2));
        for (int i = 0; i < 8; i++) {
            send(1 + (i & 1));
        }
        assertThat(wire.numbers).containsExactly(0, 1, 2, 3, 4, 6);
    }

    @Test
    void aCutMayBeginLaterAndEndByItself() {
        control.cut(Cut.entropy(2).after(Duration.ofNanos(100)).lasting(Duration.ofNanos(50)));
        send(2);
        nowNs += 100;
        send(2);
        nowNs += 49;
        send(2);
        nowNs += 1;
        send(2);
        assertThat(wire.numbers).containsExactly(0, 3);
    }

    @Test
    void aCutPathLosesTheRouteItHasAndEscapesByAnother() {
        control.cut(Cut.path(3));
        Route broken = new Route(0, 10, PEER);
        Route other = new Route(0, 11, PEER);
        send(injector, broken, TrafficClass.DATA, 3, 1);
        send(injector, broken, TrafficClass.DATA, 4, 1);
        send(injector, other, TrafficClass.DATA, 3, 1);
        send(injector, other, TrafficClass.DATA, 4, 1);
        assertThat(wire.numbers)
                .as("the link is dead for everybody, the path is not")
                .containsExactly(2, 3);
        send(injector, other, TrafficClass.DATA, 3, 2);
        assertThat(wire.numbers)
                .as("another connection's path 3 goes another way")
                .containsExactly(2, 3);
    }

    @Test
    void aCutPlaneSwallowsEverything() {
        control.cut(Cut.plane(0));
        send(injector, new Route(0, Route.SERVICE, PEER), TrafficClass.CONTROL, 0, 1);
        send(1);
        send(injector, new Route(1, 1, PEER), TrafficClass.DATA, 1, 1);
        assertThat(wire.numbers).containsExactly(2);
    }

    @Test
    void sharesAreChecked() {
        assertThatThrownBy(() -> FaultPlan.NONE.withLoss(1.5)).hasMessageContaining("loss = 1.5");
        assertThatThrownBy(() -> FaultPlan.NONE.withCorrupt(Double.NaN)).hasMessageContaining("corrupt");
        assertThatThrownBy(() -> FaultPlan.NONE.withReorder(0.1, 0)).hasMessageContaining("reorderPackets");
    }
}
