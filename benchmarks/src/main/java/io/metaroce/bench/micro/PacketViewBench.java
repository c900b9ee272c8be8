package io.metaroce.bench.micro;

import io.metaroce.datagram.Datagram;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.PacketView;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Checking one packet: a WRITE with 4 KiB of payload, and an acknowledgement. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PacketViewBench {
    private final SamplePackets samples = new SamplePackets();
    private final PacketView view = new PacketView();

    /** Version, opcode, checksum, lengths of a WRITE with 4 KiB. */
    @Benchmark
    public int check4KibWrite() {
        return check(samples.write());
    }

    /** The same without the checksum: what the fields cost. */
    @Benchmark
    public @Nullable DropReason parse4KibWrite() {
        view.open(samples.write());
        return view.parse();
    }

    /** Version, opcode, checksum, lists of an acknowledgement of several paths. */
    @Benchmark
    public int checkAck() {
        return check(samples.ack());
    }

    private int check(Datagram packet) {
        DropReason fault = view.open(packet);
        boolean right = view.trailerMatches(samples.seed());
        if (fault != null || !right || view.parse() != null) {
            throw new IllegalStateException("the sample is not a good packet");
        }
        return view.payloadLength();
    }
}
