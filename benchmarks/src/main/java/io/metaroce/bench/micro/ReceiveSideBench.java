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
 * One packet through the whole receive side: a WRITE with 4 KiB is checked, found in its window, placed into memory and
 * counted for its message.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ReceiveSideBench {
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

    /** Puts packets on the tray. */
    @Setup(Level.Invocation)
    public void send() {
        loop.refill();
        int n = loop.send(PACKETS);
        if (n != PACKETS) {
            throw new IllegalStateException("only " + n + " of " + PACKETS + " packets could be sent");
        }
        loop.forth().assemble();
    }

    /** Feeds them to the engine. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public void onDatagram() {
        loop.deliver();
    }

    /** Brings the acknowledgements back. */
    @TearDown(Level.Invocation)
    public void settle() {
        loop.settle();
    }
}
