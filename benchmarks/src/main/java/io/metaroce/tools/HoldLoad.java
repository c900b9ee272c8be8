package io.metaroce.tools;

import com.sun.management.ThreadMXBean;
import io.metaroce.num.SplitMix64;
import io.metaroce.sim.EventTree;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * The hold model: so many events are pending, the earliest is taken, and comes back after a drawn time. What one of
 * these takes says what choosing the next event costs, by the tournament of the simulator and by a plain heap.
 */
final class HoldLoad {
    private static final int DRAWS = 1 << 12;
    private static final long MEAN_PS = 1_000_000;
    private static final int WARM_UPS = 2;

    private HoldLoad() {}

    /** Processor time of one hold, in ps, over so many. */
    static long treePs(int pending, int holds) {
        long[] draws = draws();
        EventTree tree = new EventTree();
        for (int i = 0; i < pending; i++) {
            tree.set(tree.addLeaf(), draws[i & (DRAWS - 1)] + i);
        }
        return measure(holds, from -> {
            for (int i = 0; i < holds; i++) {
                tree.set(tree.first(), tree.firstKey() + draws[(from + i) & (DRAWS - 1)]);
            }
            return tree.firstKey();
        });
    }

    /** The same of a binary heap. */
    static long heapPs(int pending, int holds) {
        long[] draws = draws();
        long[] heap = new long[pending];
        for (int i = 0; i < pending; i++) {
            heap[i] = draws[i & (DRAWS - 1)] + i;
        }
        Arrays.sort(heap); // a sorted array is a heap
        return measure(holds, from -> {
            for (int i = 0; i < holds; i++) {
                replaceFirst(heap, heap[0] + draws[(from + i) & (DRAWS - 1)]);
            }
            return heap[0];
        });
    }

    /** So many holds, with draws from a place on; what comes out is used, so that nothing is left out. */
    private interface Work {
        long run(int from);
    }

    private static long measure(int holds, Work work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long used = 0;
        for (int i = 0; i < WARM_UPS; i++) {
            used += work.run(i);
        }
        long ns = threads.getCurrentThreadCpuTime();
        used += work.run(WARM_UPS);
        ns = threads.getCurrentThreadCpuTime() - ns;
        return used == 0 ? 0 : ns * 1_000 / holds;
    }

    private static void replaceFirst(long[] heap, long key) {
        int at = 0;
        int child = 1;
        while (child < heap.length) {
            if (child + 1 < heap.length && heap[child + 1] < heap[child]) {
                child++;
            }
            if (heap[child] >= key) {
                break;
            }
            heap[at] = heap[child];
            at = child;
            child = 2 * at + 1;
        }
        heap[at] = key;
    }

    // Exponential, in whole ps; the same for both.
    private static long[] draws() {
        SplitMix64 stream = new SplitMix64(1);
        long[] draws = new long[DRAWS];
        for (int i = 0; i < DRAWS; i++) {
            double uniform = ((stream.nextLong() >>> 11) + 1) * 0x1.0p-53;
            draws[i] = 1 + (long) (-MEAN_PS * Math.log(uniform));
        }
        return draws;
    }
}
