package io.metaroce.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;

/** What buffers hold before a run and must hold after it, for sums of 32-bit whole numbers. */
final class Oracle implements MemoryRanks.Application {
    private static final int NONSENSE = 0xABAD_1DEA;

    private final MemoryRanks ranks;
    private final Task[] tasks;

    /** These tasks will be run one after the other. */
    Oracle(MemoryRanks ranks, Task... tasks) {
        this.ranks = ranks;
        this.tasks = tasks;
    }

    /** Element i of the data of a rank. */
    static int given(int rank, int i, int run) {
        return (rank + 1) * (31 * i + 7) + run * 0x1000_0001;
    }

    @Override
    public void fill(int rank, int run) {
        fill(tasks[run], rank, run, ranks.memory(rank, Buffer.DATA), ranks.memory(rank, Buffer.RESULT));
    }

    @Override
    public void look(int rank, int run) {
        look(tasks[run], rank, run, ranks.memory(rank, Buffer.DATA), ranks.memory(rank, Buffer.RESULT));
    }

    static void fill(Task task, int rank, int run, ByteBuffer data, ByteBuffer result) {
        for (int i = 0; i < task.elements(); i++) {
            data.putInt(4 * i, isGiven(task, rank, i) ? given(rank, i, run) : NONSENSE);
            if (task.what() == Collective.ALL_TO_ALL) {
                result.putInt(4 * i, NONSENSE);
            }
        }
    }

    static void look(Task task, int rank, int run, ByteBuffer data, ByteBuffer result) {
        int n = task.ranks();
        Blocks blocks = Blocks.of(task, n, 1);
        for (int i = 0; i < task.elements(); i++) {
            int block = blockOf(blocks, i);
            int seen = task.what() == Collective.ALL_TO_ALL ? result.getInt(4 * i) : data.getInt(4 * i);
            int wanted = switch (task.what()) {
                case ALL_REDUCE -> sum(n, i, run);
                case REDUCE_SCATTER -> block == rank ? sum(n, i, run) : seen;
                case ALL_GATHER -> given(block, i, run);
                case BROADCAST -> given(task.root(), i, run);
                case ALL_TO_ALL -> given(block, i + (rank - block) * task.elements() / n, run);
                case BARRIER -> seen;
            };
            assertThat(seen)
                    .as("%s, run %d, rank %d, element %d", task, run, rank, i)
                    .isEqualTo(wanted);
        }
    }

    private static boolean isGiven(Task task, int rank, int i) {
        return switch (task.what()) {
            case ALL_GATHER -> blockOf(Blocks.of(task, task.ranks(), 1), i) == rank;
            case BROADCAST -> rank == task.root();
            default -> true;
        };
    }

    private static int blockOf(Blocks blocks, int element) {
        int block = 0;
        while (blocks.at(block, 1) <= 4 * element) {
            block++;
        }
        return block;
    }

    private static int sum(int ranks, int i, int run) {
        int sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += given(rank, i, run);
        }
        return sum;
    }
}
