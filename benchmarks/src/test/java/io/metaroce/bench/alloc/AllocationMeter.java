package io.metaroce.bench.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Bytes the current thread allocates in marked stretches of its work. Work that allocates does so in every batch; the
 * first batches may also meet classes that are not loaded yet and code that is compiled under way.
 */
final class AllocationMeter {
    private static final int BATCHES_MAX = 20;
    private static final int CLEAN_BATCHES = 2;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final String[] stretches;
    private final long[] bytes;

    /** A meter that tells so many kinds of stretches apart. */
    AllocationMeter(String... stretches) {
        this.stretches = stretches.clone();
        this.bytes = new long[stretches.length];
    }

    /** Runs a stretch of kind {@code index}. */
    void measure(int index, Runnable stretch) {
        long before = threads.getCurrentThreadAllocatedBytes();
        stretch.run();
        bytes[index] += threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** Runs {@code batch} until two in a row allocated nothing in their stretches; fails when that never happens. */
    void expectNothing(int operationsPerBatch, Runnable batch) {
        int clean = 0;
        for (int i = 0; i < BATCHES_MAX && clean < CLEAN_BATCHES; i++) {
            Arrays.fill(bytes, 0);
            batch.run();
            clean = Arrays.stream(bytes).allMatch(n -> n == 0) ? clean + 1 : 0;
        }
        assertThat(clean)
                .as(
                        "bytes allocated by %d operations: %s in %s",
                        operationsPerBatch, Arrays.toString(bytes), Arrays.toString(stretches))
                .isEqualTo(CLEAN_BATCHES);
    }
}
