package io.metaroce.bench.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.verbs.WorkCompletion;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The application's thread allocates nothing when it posts writes and polls completions, over real sockets. */
class VerbsAllocationTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MESSAGES = 500;
    private static final int MESSAGE_BYTES = 4096;
    private static final int DEPTH = 32;

    @Test
    void postAndPoll() throws Exception {
        try (WriterPair pair = new WriterPair(PATIENCE, DEPTH, MESSAGE_BYTES)) {
            WorkCompletion[] done = WorkCompletion.array(DEPTH);
            AllocationMeter meter = new AllocationMeter("post and poll");
            meter.expectNothing(MESSAGES, () -> meter.measure(0, () -> write(pair, done)));
            assertThat(done[0].isSuccess()).isTrue();
        }
    }

    private static void write(WriterPair pair, WorkCompletion[] done) {
        int posted = 0;
        int completed = 0;
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (completed < MESSAGES) {
            while (posted < MESSAGES && pair.post(posted)) {
                posted++;
            }
            int n = pair.queue().poll(done);
            if (n == 0) {
                if (System.nanoTime() > endNs) {
                    throw new IllegalStateException(completed + " of " + MESSAGES + " messages completed");
                }
                Thread.onSpinWait();
            }
            completed += n;
        }
    }
}
