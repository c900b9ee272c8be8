package io.metaroce.bench.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One packet through the whole send side of a busy connection: order, scheduler, window, pacing, header, checksum over
 * 4 KiB. In batches, because only the receiver's reports make room for the next ones.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SendSideBench {
    private static final int PACKETS = 256;
    private static final int WARM_UP_ROUNDS = 200;

    /** Payload of a packet; beside 4 KiB another size, to tell what the payload costs from what the engine costs. */
    @Param({"4096", "1024"})
    public int payloadBytes;

    private Loop loop = Loop.bulk();

    /** Lets the windows open. */
    @Setup
    public void open() {
        loop = Loop.bulk(payloadBytes);
        for (int i = 0; i < WARM_UP_ROUNDS; i++) {
            loop.round(PACKETS);
        }
    }

    /** Keeps the send queue full. */
    @Setup(Level.Invocation)
    public void refill() {
        loop.refill();
    }

    /** Asks the engine for packets. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public int pollTransmit() {
        int n = loop.send(PACKETS);
        if (n != PACKETS) {
            throw new IllegalStateException("only " + n + " of " + PACKETS + " packets could be sent");
        }
        return n;
    }

    /** Delivers them and brings the acknowledgements back. */
    @TearDown(Level.Invocation)
    public void settle() {
        loop.settle();
    }
}
