package io.metaroce.sim;

import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Transfer.Job;
import java.util.List;

/**
 * The whole matrix of operations, sizes and link qualities for many seeds: every byte, every completion, every
 * invariant, and the same trace hash when a seed runs twice. Too long for every build; run by hand before a release.
 */
final class MatrixSweep {
    private static final int P = Transfer.PAYLOAD;
    private static final int BIG = 16 << 20;
    private static final List<WrOpcode> OPERATIONS = List.of(
            WrOpcode.SEND,
            WrOpcode.SEND_WITH_IMM,
            WrOpcode.SEND_WITH_INV,
            WrOpcode.RDMA_WRITE,
            WrOpcode.RDMA_WRITE_WITH_IMM,
            WrOpcode.RDMA_READ);

    private MatrixSweep() {}

    /** Arguments: first and last seed. */
    public static void main(String[] args) {
        long last = Long.parseLong(args[1]);
        long transfers = 0;
        for (long seed = Long.parseLong(args[0]); seed <= last; seed++) {
            for (WrOpcode operation : OPERATIONS) {
                Job small = Job.of(seed, operation, 0, 1, P - 1, P, P + 1, 2 * P + 1);
                Job big = Job.of(seed, operation, BIG);
                twice(small);
                twice(small.with(Transfer.ROUGH));
                Transfer.run(big);
                Transfer.run(big.with(Transfer.ROUGH));
                transfers += 6;
            }
            if (seed % 50 == 0) {
                System.out.println("seed " + seed + ": " + transfers + " transfers right");
            }
        }
        System.out.println(transfers + " transfers right");
    }

    private static void twice(Job job) {
        long first = Transfer.run(job);
        long second = Transfer.run(job);
        if (first != second) {
            throw new AssertionError("two runs differ: " + job);
        }
    }
}
