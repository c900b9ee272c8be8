package io.metaroce.bench.micro;

import io.metaroce.trace.TransportEvents;
import io.metaroce.udp.FlightEvents;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What one packet of bulk traffic costs, of which one in a hundred is lost, while nobody hears of events, and while the
 * events of Flight Recorder are there and nobody records.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EventsBench {
    private static final int PACKETS = 256;
    private static final int LOST_OF = 100;

    /** Who hears of events. */
    @Param({"nobody", "recorder"})
    public String listener = "nobody";

    private Loop loop = Loop.bulk();

    /** Lets the windows open. */
    @Setup
    public void open() {
        TransportEvents events = listener.equals("nobody") ? TransportEvents.NONE : FlightEvents.orNone();
        loop = Loop.bulk(events).loseEvery(LOST_OF);
        for (int i = 0; i < PACKETS; i++) {
            loop.round(PACKETS);
        }
    }

    /** Packets there, acknowledgements back. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public void packet() {
        loop.round(PACKETS);
    }
}
