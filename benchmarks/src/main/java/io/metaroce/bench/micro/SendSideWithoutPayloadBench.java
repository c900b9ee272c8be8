package io.metaroce.bench.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The same as {@link SendSideBench} with the payload of 4 KiB named and not read: the trailer covers the headers alone.
 * What is left is what the engine itself does for a packet, of any length.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SendSideWithoutPayloadBench {
    private static final int PACKETS = 256;
    private static final int WARM_UP_ROUNDS = 2_000;

    private final Loop loop = Loop.bulkUnread();

    /** Lets the windows open. */
    @Setup
    public void open() {
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
