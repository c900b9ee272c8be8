package io.metaroce.bench.micro;

import io.metaroce.path.Arrival;
import io.metaroce.path.InboundPath;
import io.metaroce.path.RxWindow;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The receive window of one path. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RxWindowBench {
    private static final int SWAP = 7; // numbers come as 7, 6, ... 0, 15, 14, ... 8: seven of eight are early

    private final InboundPath path = new InboundPath(0, 0, RxWindow.WIDTH_PACKETS, 4);
    private int psn;

    /** A packet that comes when it is owed. */
    @Benchmark
    public Arrival inOrder() {
        return RxWindow.onPacket(path, psn++);
    }

    /** A packet among others that overtake each other. */
    @Benchmark
    public Arrival outOfOrder() {
        return RxWindow.onPacket(path, psn++ ^ SWAP);
    }
}
