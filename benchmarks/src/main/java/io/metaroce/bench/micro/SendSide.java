package io.metaroce.bench.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One packet through the whole send side of a busy connection: order, scheduler, window, pacing, header, checksum. In
 * batches, because only the receiver's reports make room for the next ones. Whoever extends it says which connection.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class SendSide {
    private static final int PACKETS = 256;

    private Loop loop = Loop.bulk();

    /** The connection, before anything was sent. */
    abstract Loop begun();

    /** How many batches it sends before anything is measured, until its windows are open. */
    abstract int warmUpRounds();

    /** Lets the windows open. */
    @Setup
    public void open() {
        loop = begun();
        for (int i = 0; i < warmUpRounds(); i++) {
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
