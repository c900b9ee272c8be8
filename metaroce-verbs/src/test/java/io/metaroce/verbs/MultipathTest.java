package io.metaroce.verbs;

import static io.metaroce.verbs.Connected.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.engine.PathView;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.sim.FaultPlan;
import io.metaroce.sim.SimTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The extension that makes paths visible: their table, their events, and what an operator may do with them. */
@Timeout(60)
final class MultipathTest {
    private static final int BYTES = 1 << 20;

    static EndpointConfig config() {
        EndpointConfig config = VerbsContract.impatient(Profiles.model());
        return config.withPath(config.path().withPaths(8));
    }

    /** Writes so often, each time a mebibyte. */
    static void write(Connected both, MemoryRegion from, MemoryRegion to, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(both.client
                            .qp()
                            .postWrite(i, from.lkey(), 0, BYTES, to.address(), to.rkey(), SendFlag.SIGNALED.value()))
                    .isTrue();
            both.client.nextSuccess();
        }
    }

    static List<AsyncEvent> events(Device device) {
        List<AsyncEvent> all = new ArrayList<>();
        for (Optional<AsyncEvent> next = device.nextEvent(Duration.ZERO);
                next.isPresent();
                next = device.nextEvent(Duration.ZERO)) {
            all.add(next.get());
        }
        return all;
    }

    @Test
    void aPlaneThatIsCutIsTwoEventsForEachOfItsPaths() throws Exception {
        try (PathsWorld world = new PathsWorld(config(), 2)) {
            Connected both = Connected.with(world);
            MemoryRegion from = both.client.pattern(BYTES, 1);
            MemoryRegion to = both.server.region(BYTES, AccessFlag.REMOTE_WRITE);
            write(both, from, to, 4);
            List<Integer> onIt = both.client.connection().paths().stream()
                    .filter(path -> path.plane() == 1)
                    .map(PathView::id)
                    .toList();
            assertThat(onIt).isNotEmpty();
            world.breaks(FaultPlan.Target.plane(1), 50_000_000);
            write(both, from, to, 20);
            List<AsyncEvent> events = events(both.client.device);
            assertThat(pathsOf(events, AsyncEvent.Kind.PATH_DOWN)).containsExactlyInAnyOrderElementsOf(onIt);
            // They found routes of their own on the plane that is left.
            assertThat(pathsOf(events, AsyncEvent.Kind.PATH_UP)).containsExactlyInAnyOrderElementsOf(onIt);
            assertThat(both.client.connection().paths()).allMatch(path -> path.plane() == 0);
            assertThat(events.get(0).sentence()).contains("lost its route");
            for (int i = 0;
                    i < 400 && both.client.connection().paths().stream().noneMatch(path -> path.plane() == 1);
                    i++) {
                write(both, from, to, 1);
                boolean unused = both.client.device.await(() -> false, Duration.ofMillis(2));
            }
            assertThat(both.client.connection().paths()).anyMatch(path -> path.plane() == 1);
            assertThat(events(both.client.device)).isEmpty();
        }
    }

    private static List<Integer> pathsOf(List<AsyncEvent> events, AsyncEvent.Kind kind) {
        return events.stream()
                .filter(event -> event.kind() == kind)
                .map(event ->
                        event instanceof AsyncEvent.PathDown down ? down.path() : ((AsyncEvent.PathUp) event).path())
                .toList();
    }

    @Test
    void aParkedPathCarriesNothingUntilItReturns() throws Exception {
        try (PathsWorld world = new PathsWorld(config(), 1)) {
            Connected both = Connected.with(world);
            MemoryRegion from = both.client.pattern(BYTES, 1);
            MemoryRegion to = both.server.region(BYTES, AccessFlag.REMOTE_WRITE);
            write(both, from, to, 2);
            Connection connection = both.client.connection();
            assertThat(connection.parkPath(3)).isTrue();
            write(both, from, to, 2);
            assertThat(connection.paths().get(3).state()).isEqualTo("ADMIN_DOWN");
            long slots = connection.paths().get(3).slots();
            write(both, from, to, 4);
            assertThat(connection.paths().get(3).slots()).isEqualTo(slots);
            connection.unparkPath(3);
            write(both, from, to, 8);
            assertThat(connection.paths().get(3).state()).isEqualTo("ACTIVE");
            assertThat(connection.paths().get(3).slots()).isGreaterThan(slots);
            assertThat(connection.parkPath(99)).isFalse();
        }
    }

    @Test
    void aPathTakesAnotherRouteWhenAskedUnlessItIsPinned() throws Exception {
        try (PathsWorld world = new PathsWorld(config(), 1)) {
            Connected both = Connected.with(world);
            MemoryRegion from = both.client.pattern(BYTES, 1);
            MemoryRegion to = both.server.region(BYTES, AccessFlag.REMOTE_WRITE);
            write(both, from, to, 2);
            Connection connection = both.client.connection();
            int entropy = connection.paths().get(2).entropy();
            assertThat(connection.pinPath(2, true)).isTrue();
            assertThat(connection.redrawPath(2)).isFalse();
            write(both, from, to, 4);
            assertThat(connection.paths().get(2).entropy()).isEqualTo(entropy);
            assertThat(connection.pinPath(2, false)).isTrue();
            assertThat(connection.redrawPath(2)).isTrue();
            write(both, from, to, 8);
            assertThat(connection.paths().get(2).entropy()).isNotEqualTo(entropy);
            assertThat(connection.paths().get(2).borrowed()).isFalse();
            assertThat(connection.redrawPath(-1)).isFalse();
            assertThat(events(both.client.device)).isEmpty();
        }
    }

    @Test
    void anOwnPlaneIsTakenOutAndBroughtBack() throws Exception {
        try (PathsWorld world = new PathsWorld(config(), 2)) {
            Connected both = Connected.with(world);
            MemoryRegion from = both.client.pattern(BYTES, 1);
            MemoryRegion to = both.server.region(BYTES, AccessFlag.REMOTE_WRITE);
            write(both, from, to, 2);
            both.client.device.planeDown(1);
            write(both, from, to, 2);
            assertThat(both.client.connection().paths()).allMatch(path -> path.plane() == 0);
            both.client.device.planeUp(1);
            write(both, from, to, 40);
            assertThat(both.client.connection().paths()).anyMatch(path -> path.plane() == 1);
            assertThatThrownBy(() -> both.client.device.planeDown(7))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("plane 7");
        }
    }

    @Test
    void aHeavierQueuePairGetsMoreOfTheConnection() throws Exception {
        try (PathsWorld world = new PathsWorld(config(), 1)) {
            Connected both = Connected.with(world, 2, how -> how);
            MemoryRegion from = both.client.pattern(BYTES, 1);
            MemoryRegion to = both.server.region(BYTES, AccessFlag.REMOTE_WRITE);
            assertThat(both.client.queuePairs.get(1).weight(4)).isTrue();
            for (int i = 0; i < 40; i++) {
                for (QueuePair queuePair : both.client.queuePairs) {
                    assertThat(queuePair.postWrite(
                                    i, from.lkey(), 0, BYTES, to.address(), to.rkey(), SendFlag.SIGNALED.value()))
                            .isTrue();
                }
            }
            int heavy = both.client.queuePairs.get(1).qpNumber();
            long ofHeavy = both.client.next(40).stream()
                    .filter(each -> each.qpNumber() == heavy)
                    .count();
            assertThat(ofHeavy).isBetween(30L, 34L);
            both.client.next(40);
            assertThatThrownBy(() -> both.client.qp().weight(16)).hasMessageContaining("1..15");
        }
    }

    @Test
    void drainingWaitsForSendsAndClosesNothing() throws Exception {
        try (PathsWorld world = new PathsWorld(config(), 1)) {
            Connected both = Connected.with(world);
            MemoryRegion from = both.client.pattern(BYTES, 1);
            MemoryRegion to = both.server.region(BYTES, AccessFlag.REMOTE_WRITE);
            for (int i = 0; i < 10; i++) {
                assertThat(both.client.qp().postWrite(i, from.lkey(), 0, BYTES, to.address(), to.rkey(), 0))
                        .isTrue();
            }
            assertThat(both.client.qp().drain(Duration.ofNanos(1_000))).isFalse();
            assertThat(both.client.qp().drain(LONG)).isTrue();
            assertThat(both.client.qp().state()).isEqualTo(QpState.RTS);
            assertThat(Connected.bytesOf(to, BYTES)).isEqualTo(Connected.patternOf(BYTES, 1));
        }
    }

    /** One way is 20 ms longer: a Read that takes it is overtaken by the Write behind it, unless that is fenced. */
    @Test
    void aFencedWriteWaitsForTheReadBeforeIt() throws Exception {
        assertThat(readsThatSawTheWriteBehindThem(SendFlag.mask(SendFlag.SIGNALED)))
                .as("the world is such that it matters")
                .isPositive();
        assertThat(readsThatSawTheWriteBehindThem(SendFlag.mask(SendFlag.SIGNALED, SendFlag.FENCE)))
                .isZero();
    }

    private static int readsThatSawTheWriteBehindThem(int flagsOfWrite) throws Exception {
        try (PathsWorld world = new PathsWorld(config(), 1)) {
            Connected both = Connected.with(world);
            MemoryRegion there = both.server.region(64, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
            MemoryRegion newer = both.client.region(64);
            MemoryRegion read = both.client.region(64, AccessFlag.LOCAL_WRITE);
            world.world.faults(new FaultPlan.Builder()
                    .at(
                            world.world.nowPs(),
                            FaultPlan.Target.links("a-b.1"),
                            new FaultPlan.Change(FaultPlan.Verb.DELAY, 20 * SimTime.MS, 0))
                    .build());
            int early = 0;
            for (int round = 1; round <= 64; round++) {
                newer.slice(0, 8).putLong(0, round);
                assertThat(both.client.qp().postRead(1, read.lkey(), 0, 64, there.address(), there.rkey(), 2))
                        .isTrue();
                assertThat(both.client
                                .qp()
                                .postWrite(2, newer.lkey(), 0, 64, there.address(), there.rkey(), flagsOfWrite))
                        .isTrue();
                both.client.nextSuccess();
                both.client.nextSuccess();
                early += read.slice(0, 8).getLong(0) == round ? 1 : 0;
                assertThat(there.slice(0, 8).getLong(0)).isEqualTo(round);
            }
            return early;
        }
    }
}
