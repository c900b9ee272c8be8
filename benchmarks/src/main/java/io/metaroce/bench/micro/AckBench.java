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
 * One acknowledgement through the sender: 64 packets on several paths leave their slots, windows are stepped, streams
 * are told.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AckBench {
    private static final int PACKETS = 64;
    private static final int ACKS = 8;
    private static final int WARM_UP_ROUNDS = 200;
    private static final long ACK_DELAY_NS = 250_000;

    private final Loop loop = Loop.bulk();

    /** Lets the windows open. */
    @Setup
    public void open() {
        for (int i = 0; i < WARM_UP_ROUNDS; i++) {
            loop.round(PACKETS * ACKS);
        }
    }

    /** Puts acknowledgements on the tray, each for its own packets. */
    @Setup(Level.Invocation)
    public void report() {
        loop.refill();
        for (int i = 0; i < ACKS; i++) {
            loop.send(PACKETS);
            loop.forth().assemble();
            loop.deliver();
            loop.pass(ACK_DELAY_NS);
            loop.report();
        }
        if (loop.back().count() != ACKS) {
            throw new IllegalStateException(loop.back().count() + " acknowledgements instead of " + ACKS);
        }
        loop.back().assemble();
    }

    /** Feeds them to the engine. */
    @Benchmark
    @OperationsPerInvocation(ACKS)
    public void onAck() {
        loop.deliverReports();
    }

    /** Leaves nothing under way. */
    @TearDown(Level.Invocation)
    public void settle() {
        loop.settle();
    }
}
