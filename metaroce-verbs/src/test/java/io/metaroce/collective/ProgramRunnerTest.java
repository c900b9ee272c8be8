package io.metaroce.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Programs run: right whatever takes how long, bit by bit. */
class ProgramRunnerTest {
    private static final Arithmetic SUM = new Arithmetic(ElementType.INT32, Reduction.SUM);
    private static final int SEEDS = Integer.getInteger("metaroce.collective.seeds", 60);

    @Test
    void whateverTakesHowLongTheResultIsRight() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int ranks = 1 + random.nextInt(8);
            List<Task> tasks = Tasks.all(ranks, random.nextInt(64), 1 + random.nextInt(4));
            tasks.addAll(Tasks.sentAndRead(tasks));
            Task[] inTurn = new Task[6];
            for (int i = 0; i < inTurn.length; i++) {
                Task task = tasks.get(random.nextInt(tasks.size()));
                inTurn[i] = random.nextBoolean() ? task : task.withOrder(Tasks.shuffled(ranks, seed));
            }
            run(ranks, seed, 1 + random.nextInt(200), 1 + random.nextInt(4), inTurn);
        }
    }

    @Test
    void queuesOfDepthOneAreEnough() {
        for (Task task : Tasks.all(4, 37, 3)) {
            run(4, 1, 20, 1, task, task, task);
            run(4, 1, 20, 1, task.withTransfer(Transfer.SEND), task, task.withTransfer(Transfer.READ));
        }
    }

    private static void run(int ranks, long seed, int delayMax, int depth, Task... tasks) {
        List<List<Program>> programs = new ArrayList<>();
        int nodes = 1;
        int bytes = 0;
        for (Task task : tasks) {
            programs.add(Schedules.compile(task));
            bytes = Math.max(bytes, task.bytes());
            nodes = Math.max(nodes, nodes(programs.get(programs.size() - 1)));
        }
        MemoryRanks memory = new MemoryRanks(ranks, bytes, nodes, SUM, seed, delayMax, depth);
        memory.run(programs, new Oracle(memory, tasks));
    }

    private static int nodes(List<Program> programs) {
        return programs.stream().mapToInt(Program::nodes).max().orElse(0);
    }

    @Test
    void sumsOfFloatingPointNumbersAreEqualBitByBit() {
        for (Task task : Tasks.all(6, 100, 2)) {
            if (task.what() == Collective.ALL_REDUCE) {
                byte[] calm = floats(task, 0, 0);
                for (int seed = 1; seed <= 10; seed++) {
                    Transfer transfer = List.of(Transfer.values()).get(seed % 3);
                    assertThat(floats(task.withTransfer(transfer), seed, 100))
                            .as("%s, seed %d", task, seed)
                            .isEqualTo(calm);
                }
            }
        }
    }

    @Test
    void aRingAddsFromTheRankBehindABlockOnAround() {
        Task task = Task.of(Collective.ALL_REDUCE, Algorithm.RING, 5, 4 * 35);
        ByteBuffer seen = ByteBuffer.wrap(floats(task, 3, 50)).order(Arithmetic.ORDER);
        for (int i = 0; i < task.elements(); i++) {
            int block = i / 7;
            float sum = given(Math.floorMod(block + 1, 5), i);
            for (int step = 2; step <= 5; step++) {
                sum = sum + given((block + step) % 5, i);
            }
            assertThat(seen.getFloat(4 * i)).as("element %d", i).isEqualTo(sum);
        }
    }

    private static float given(int rank, int i) {
        return new Random(rank * 1000L + i).nextFloat() * (i % 3 == 0 ? 1e6f : 1e-3f);
    }

    private static byte[] floats(Task task, long seed, int delayMax) {
        Arithmetic arithmetic = new Arithmetic(ElementType.FLOAT32, Reduction.SUM);
        List<Program> programs = Schedules.compile(task);
        MemoryRanks memory =
                new MemoryRanks(task.ranks(), task.bytes(), nodes(programs), arithmetic, seed, delayMax, 2);
        byte[] first = new byte[task.bytes()];
        memory.run(List.of(programs), new MemoryRanks.Application() {
            @Override
            public void fill(int rank, int run) {
                for (int i = 0; i < task.elements(); i++) {
                    memory.memory(rank, Buffer.DATA).putFloat(4 * i, given(rank, i));
                }
            }

            @Override
            public void look(int rank, int run) {}
        });
        memory.memory(0, Buffer.DATA).get(0, first);
        for (int rank = 1; rank < task.ranks(); rank++) {
            byte[] other = new byte[task.bytes()];
            memory.memory(rank, Buffer.DATA).get(0, other);
            assertThat(other).as("rank %d as rank 0", rank).isEqualTo(first);
        }
        return first;
    }

    @Test
    void equalSeedsRunAlike() {
        Task task = Task.of(Collective.ALL_REDUCE, Algorithm.RING, 4, 64).withSlices(2);
        assertThat(trace(task)).isEqualTo(trace(task));
    }

    private static List<Integer> trace(Task task) {
        List<Integer> posted = new ArrayList<>();
        AloneIo io = new AloneIo(posted);
        runAlone(new ProgramRunner(io, 1000, 10), io, Schedules.compile(task).get(0));
        return posted;
    }

    /** All messages that others would send arrive in the order of the nodes that hear of them. */
    private static void runAlone(ProgramRunner runner, AloneIo io, Program program) {
        io.run++;
        runner.begin(program);
        for (int node = 0; node < program.nodes(); node++) {
            if (program.op(node) == Op.RECV) {
                io.arrival = RankIo.ARRIVED | ((long) (io.run & 0xFFF) << 20) | node;
                boolean unused = runner.turn();
            }
        }
        assertThat(runner.turn()).isTrue();
    }

    /** A rank whose peers exist only as arrivals. */
    private static final class AloneIo implements RankIo {
        private final List<Integer> posted;
        private long arrival = NOTHING;
        private int run;

        AloneIo(List<Integer> posted) {
            this.posted = posted;
        }

        @Override
        public Posted post(Program program, int node, int immediate) {
            posted.add(node);
            return Posted.DONE;
        }

        @Override
        public long poll() {
            long event = arrival;
            arrival = NOTHING;
            return event;
        }

        @Override
        public long nowNs() {
            return 0;
        }
    }

    @Test
    void everyTypeIsCombinedAsItSays() {
        for (ElementType type : ElementType.values()) {
            for (Reduction reduction : Reduction.values()) {
                assertThat(combined(new Arithmetic(type, reduction), 3, 4))
                        .as("%s %s", type, reduction)
                        .isEqualTo(reduction == Reduction.SUM ? 7 : reduction == Reduction.MIN ? 3 : 4);
            }
        }
    }

    private static long combined(Arithmetic arithmetic, int left, int right) {
        ByteBuffer a = ByteBuffer.allocate(16).order(Arithmetic.ORDER);
        ByteBuffer b = ByteBuffer.allocate(16).order(Arithmetic.ORDER);
        put(arithmetic.type(), a, left);
        put(arithmetic.type(), b, right);
        arithmetic.reduce(a, 8, b, 8, arithmetic.type().bytes());
        return switch (arithmetic.type()) {
            case INT32 -> b.getInt(8);
            case INT64 -> b.getLong(8);
            case FLOAT32 -> (long) b.getFloat(8);
            case FLOAT64 -> (long) b.getDouble(8);
        };
    }

    private static void put(ElementType type, ByteBuffer into, int value) {
        switch (type) {
            case INT32 -> into.putInt(8, value);
            case INT64 -> into.putLong(8, value);
            case FLOAT32 -> into.putFloat(8, value);
            case FLOAT64 -> into.putDouble(8, value);
        }
    }
}
