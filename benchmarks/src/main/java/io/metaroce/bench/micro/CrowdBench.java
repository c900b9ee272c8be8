package io.metaroce.bench.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One packet of 4 KiB the whole way, both engines and the acknowledgement included, on one connection and on the next
 * of 4,000: messages of 16 packets, 16 at a time. The copy that puts a packet together for the wire is in both figures.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CrowdBench {
    private static final int MESSAGES = 16;
    private static final int PACKETS = MESSAGES * Crowd.PACKETS_PER_MESSAGE;
    private static final int MANY = 4000;

    /** One connection. */
    @State(Scope.Thread)
    public static class Alone {
        private final Crowd crowd = new Crowd(1);

        /** Makes it. */
        @Setup
        public void connect() {
            crowd.connect();
        }
    }

    /** As many as one endpoint is to carry. */
    @State(Scope.Thread)
    public static class Many {
        private final Crowd crowd = new Crowd(MANY);

        /** Makes them. */
        @Setup
        public void connect() {
            crowd.connect();
        }
    }

    /** All messages on the same connection. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public void alone(Alone one) {
        one.crowd.post(MESSAGES);
        one.crowd.settle();
    }

    /** Each message on another connection. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public void amongMany(Many many) {
        many.crowd.post(MESSAGES);
        many.crowd.settle();
    }
}
