package io.metaroce.bench.micro;

import io.metaroce.queue.CompletionCell;
import io.metaroce.queue.CompletionRing;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.Signalling;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The rings between application and engine, both ends on one thread: what the hand-over costs without a wait. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RingBench {
    private static final int DEPTH = 128;

    private final DoorbellQueue doorbells = new DoorbellQueue(4);
    private final CompletionRing completions = new CompletionRing(DEPTH, doorbells, () -> {});
    private final int attachment = completions.attach();
    private final SendRing sends = new SendRing(DEPTH, 4, 0, 7, completions, attachment, Signalling.FLAGGED, doorbells);
    private final ReceiveRing receives = new ReceiveRing(DEPTH, 4, 7, completions, completions.attach(), doorbells);

    /** A request is posted, the doorbell rung, the request taken and given back. */
    @Benchmark
    public long postAndTake() {
        SendCell cell = sends.acquire();
        if (cell == null) {
            throw new IllegalStateException("an empty send queue has no room");
        }
        cell.wrId(1)
                .opcode(WrOpcode.RDMA_WRITE)
                .flags(SendFlags.SIGNALED)
                .rkey(5)
                .addSge(3, 0, 4096);
        sends.post(cell);
        sends.ring();
        doorbells.drain(0);
        SendCell taken = sends.take();
        if (taken == null) {
            throw new IllegalStateException("what was posted is not there");
        }
        long bytes = taken.lengthBytes();
        sends.release(taken);
        return bytes;
    }

    /** The same for a receive. */
    @Benchmark
    public long postAndTakeReceive() {
        ReceiveCell cell = receives.acquire();
        if (cell == null) {
            throw new IllegalStateException("an empty receive queue has no room");
        }
        cell.wrId(1).addSge(3, 0, 4096);
        receives.post(cell);
        receives.ring();
        doorbells.drain(0);
        ReceiveCell taken = receives.take();
        if (taken == null) {
            throw new IllegalStateException("what was posted is not there");
        }
        long bytes = taken.lengthBytes();
        receives.release(taken);
        return bytes;
    }

    /** A completion is reserved, published, taken and given back. */
    @Benchmark
    public long complete() {
        boolean room = completions.reserve(attachment);
        if (!room) {
            throw new IllegalStateException("an empty completion queue has no room");
        }
        completions.completed(attachment, 7, 1, WcStatus.SUCCESS, WcOpcode.RDMA_WRITE, 4096, 0, 0);
        CompletionCell done = completions.take();
        if (done == null) {
            throw new IllegalStateException("what was completed is not there");
        }
        long wrId = done.wrId();
        completions.release(done);
        return wrId;
    }
}
