package io.metaroce.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.param.Profiles;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.FaultPlan;
import io.metaroce.sim.Host;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.NicConfig;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The same programs over the engine, in the simulator and over loopback: same memory. */
class CommunicatorTest {
    private static final Arithmetic SUM = new Arithmetic(ElementType.INT32, Reduction.SUM);
    private static final Arithmetic FLOATS = new Arithmetic(ElementType.FLOAT32, Reduction.SUM);
    private static final int RANKS = 4;
    private static final long SECOND_NS = 1_000_000_000L;

    @Test
    void everyCollectiveIsRightInTheSimulator() {
        List<Task> tasks = Tasks.all(RANKS, 5000, 2);
        try (Group group = Group.simulated(World.ofSeed(1), 1, 0, compiled(tasks), SUM)) {
            runAll(group, tasks);
        }
    }

    @Test
    void bytesThatAreSentOrReadAreRightInTheSimulator() {
        List<Task> tasks = Tasks.sentAndRead(Tasks.all(RANKS, 5000, 2));
        try (Group group = Group.simulated(World.ofSeed(1), 1, 10_000, compiled(tasks), SUM)) {
            runAll(group, tasks);
        }
    }

    @Test
    void bytesThatAreSentOrReadAreRightOverSocketsWithLoss() {
        List<Task> tasks = Tasks.sentAndRead(List.of(
                Task.of(Collective.ALL_REDUCE, Algorithm.RING, RANKS, 4 * 20_000)
                        .withSlices(3)
                        .withBothWays(),
                Task.of(Collective.ALL_GATHER, Algorithm.HALVING_DOUBLING, RANKS, 4 * 20_000),
                Task.of(Collective.ALL_TO_ALL, Algorithm.AT_ONCE, RANKS, 4 * 20_000)));
        try (Group group = Group.overUdp(0.01, compiled(tasks), SUM)) {
            runAll(group, tasks);
        }
    }

    @Test
    void queuesOfDepthOneAreEnough() {
        List<Task> tasks = Tasks.all(RANKS, 5000, 3);
        tasks.addAll(Tasks.sentAndRead(tasks));
        try (Group group = Group.simulated(World.ofSeed(1), 1, 10_000, 1, compiled(tasks), SUM)) {
            runAll(group, tasks);
        }
    }

    @Test
    void everyCollectiveIsRightOverSocketsWithLoss() {
        List<Task> tasks = Tasks.all(RANKS, 20_000, 2);
        try (Group group = Group.overUdp(0.01, compiled(tasks), SUM)) {
            runAll(group, tasks);
        }
    }

    private static void runAll(Group group, List<Task> tasks) {
        for (int run = 0; run < tasks.size(); run++) {
            Task task = tasks.get(run);
            for (int rank = 0; rank < RANKS; rank++) {
                Oracle.fill(task, rank, run, memory(group, rank, Buffer.DATA), memory(group, rank, Buffer.RESULT));
            }
            group.run(Schedules.compile(task));
            for (int rank = 0; rank < RANKS; rank++) {
                Oracle.look(task, rank, run, memory(group, rank, Buffer.DATA), memory(group, rank, Buffer.RESULT));
            }
        }
    }

    private static List<List<Program>> compiled(List<Task> tasks) {
        return tasks.stream().map(Schedules::compile).toList();
    }

    private static ByteBuffer memory(Group group, int rank, Buffer buffer) {
        return group.rank(rank).region(buffer).buffer().order(Arithmetic.ORDER);
    }

    @Test
    void sumsAreEqualBitByBitUnderLossAndAPlaneFailureAndOverSockets() {
        Task task = Task.of(Collective.ALL_REDUCE, Algorithm.RING, RANKS, 4 * 100_000)
                .withSlices(4)
                .withBothWays();
        List<List<Program>> programs = List.of(Schedules.compile(task));
        byte[] calm;
        try (Group group = Group.simulated(World.ofSeed(1), 1, 0, programs, FLOATS)) {
            calm = sums(group, task, programs.get(0));
        }
        for (int seed = 2; seed <= 4; seed++) {
            World world = World.ofSeed(seed);
            try (Group group = Group.simulated(world, 2, 100_000, programs, FLOATS)) {
                long failsPs = world.nowPs() + 20 * SimTime.US;
                world.faults(new FaultPlan.Builder()
                        .at(failsPs, FaultPlan.Target.plane(1), FaultPlan.Verb.DOWN)
                        .build());
                assertThat(sums(group, task, programs.get(0)))
                        .as("seed %d", seed)
                        .isEqualTo(calm);
                assertThat(world.nowPs()).as("done after the failure").isGreaterThan(failsPs);
            }
        }
        try (Group group = Group.overUdp(0.02, programs, FLOATS)) {
            assertThat(sums(group, task, programs.get(0))).as("over sockets").isEqualTo(calm);
        }
    }

    private static byte[] sums(Group group, Task task, List<Program> programs) {
        for (int rank = 0; rank < RANKS; rank++) {
            Random random = new Random(rank);
            for (int i = 0; i < task.elements(); i++) {
                memory(group, rank, Buffer.DATA).putFloat(4 * i, random.nextFloat() * (1 << random.nextInt(30)));
            }
        }
        group.run(programs);
        List<byte[]> all = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            byte[] bytes = new byte[task.bytes()];
            group.rank(rank).region(Buffer.DATA).get(0, bytes);
            all.add(bytes);
        }
        assertThat(all).as("all ranks alike").allMatch(bytes -> Arrays.equals(bytes, all.get(0)));
        return all.get(0);
    }

    @Test
    void aRankThatGoesIsNamedByThoseThatWaitForItAndNoMatterToOthers() {
        Task barrier = Task.of(Collective.BARRIER, Algorithm.DISSEMINATION, RANKS, 0);
        List<Program> programs = Schedules.compile(barrier);
        try (Group group = Group.simulated(World.ofSeed(1), 1, 0, List.of(programs), SUM)) {
            group.run(programs);
            group.rank(3).close();
            // Rank 1 hears of ranks 0 and 3, rank 2 of 1 and 0.
            group.rank(2).begin(programs.get(2));
            assertThatThrownBy(() -> group.rank(1).run(programs.get(1), Duration.ofSeconds(1)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("waits for rank 3")
                    .hasMessageContaining("closed by the peer");
        }
    }

    @Test
    void aRankThatListensLateIsAskedAgainUntilItDoes() {
        List<Program> programs = Schedules.compile(Task.of(Collective.ALL_REDUCE, Algorithm.RING, 2, 4 * 1000));
        World world = World.ofSeed(1);
        Fabric fabric = Topology.star(
                world,
                new Topology.Star(2, 1, NicConfig.ofGbit(100), LinkConfig.port(100_000_000_000L, SimTime.US, 1 << 20)));
        Device late = Device.open(Host.attach(fabric.attachment("h0"), Profiles.model()));
        Device early = Device.open(Host.attach(fabric.attachment("h1"), Profiles.model()));
        Communicator second = Communicator.open(
                early, Communicator.Shape.of(1, 1, List.of(programs)), Compute.atOnce(SUM), world::nowNs);
        assertThatThrownBy(() -> second.connectAll(List.of("h0", "h1"), Duration.ofSeconds(2)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("connect to [0]")
                .hasMessageContaining("not within PT2S");
        Communicator first = Communicator.open(
                late, Communicator.Shape.of(0, 1, List.of(programs)), Compute.atOnce(SUM), world::nowNs);
        second.connect(0, "h0");
        assertThat(world.runUntil(bothOf(first::isConnected, second::isConnected), SECOND_NS))
                .isTrue();
        first.begin(programs.get(0));
        second.begin(programs.get(1));
        assertThat(world.runUntil(bothOf(first::turn, second::turn), SECOND_NS)).isTrue();
    }

    // Both ranks have their turn, whatever the first one says.
    private static BooleanSupplier bothOf(BooleanSupplier one, BooleanSupplier other) {
        return () -> {
            boolean isOneDone = one.getAsBoolean();
            return other.getAsBoolean() && isOneDone;
        };
    }
}
