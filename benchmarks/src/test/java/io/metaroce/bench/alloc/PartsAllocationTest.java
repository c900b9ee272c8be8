package io.metaroce.bench.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.bench.micro.PacketViewBench;
import io.metaroce.bench.micro.RingBench;
import io.metaroce.bench.micro.RxWindowBench;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** The parts that run per packet allocate nothing; the benchmarks are the examples. */
class PartsAllocationTest {
    private static final int OPERATIONS = 20_000;

    private static void expectNothing(String what, LongSupplier operation) {
        AllocationMeter meter = new AllocationMeter(what);
        long[] sum = new long[1];
        meter.expectNothing(
                OPERATIONS,
                () -> meter.measure(0, () -> {
                    for (int i = 0; i < OPERATIONS; i++) {
                        sum[0] += operation.getAsLong();
                    }
                }));
        assertThat(sum[0]).isNotZero();
    }

    @Test
    void theReceiveWindowOfAPath() {
        RxWindowBench window = new RxWindowBench();
        expectNothing("in order", () -> window.inOrder().isNew() ? 1 : 0);
        RxWindowBench other = new RxWindowBench();
        expectNothing("out of order", () -> other.outOfOrder().isNew() ? 1 : 0);
    }

    @Test
    void checkingAPacket() {
        PacketViewBench view = new PacketViewBench();
        expectNothing("a write of 4 KiB", view::check4KibWrite);
        expectNothing("an acknowledgement", () -> view.checkAck() + 1);
        expectNothing("fields of a write", () -> view.parse4KibWrite() == null ? 1 : 0);
    }

    @Test
    void theRings() {
        RingBench rings = new RingBench();
        expectNothing("a request there and back", rings::postAndTake);
        expectNothing("a receive there and back", rings::postAndTakeReceive);
        expectNothing("a completion there and back", rings::complete);
    }
}
