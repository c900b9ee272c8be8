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
 * of 4,000: messages of 16 packets, 16 at a time. The copy that puts a packet together for the wire is in all figures.
 *
 * <p>A connection among many differs in two ways: it sends fewer packets a turn, after a rest in which it has forgotten
 * its share, and nothing of it is in the caches. Sixteen connections that rest as long between their turns do the same
 * work packet by packet and stay in the caches: what lies between them and one is due to the turns, the rest to memory.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CrowdBench {
    private static final int MESSAGES = 16;
    private static final int PACKETS = MESSAGES * Crowd.PACKETS_PER_MESSAGE;
    private static final int MANY = 4000;
    private static final long REST_NS = 100_000_000; // until the turns of many others are over

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

    /** One connection for each message, with the rests of one among many. */
    @State(Scope.Thread)
    public static class Few {
        private final Crowd crowd = new Crowd(MESSAGES);

        /** Makes them. */
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

    /** Each message on another connection of a few. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public void amongFew(Few few) {
        few.crowd.post(MESSAGES);
        few.crowd.settle();
        few.crowd.rest(REST_NS);
    }

    /** Each message on another connection. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public void amongMany(Many many) {
        many.crowd.post(MESSAGES);
        many.crowd.settle();
    }
}
