package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import io.metaroce.path.Path;
import io.metaroce.trace.Counter;
import io.metaroce.trace.TransportEvents;
import org.junit.jupiter.api.Test;

/** Slots that were passed over, and of which nothing was heard for the time that overtaking may take. */
class LateLossesTest {
    private final Rig a = Rig.a(2, 1);
    private final Rig b = Rig.b(2, 1);
    private final LateLosses late =
            new LateLosses(a.congestion, a.slab, a.scratch.signal, a.counters, a.agreement, TransportEvents.NONE);

    @Test
    @Covers("R-LOSS-003")
    void whatIsLateIsLostOnceAndLeavesItsWindow() {
        for (int i = 0; i < 4; i++) {
            a.send(16L * i, 0);
        }
        assertThatThrownBy(() -> late.acked(0)).isInstanceOf(IllegalStateException.class);
        long window = a.congestion.windowBytes(0);
        late.loseOn(4_000, path());
        assertThat(a.counters.get(Counter.RETRANSMIT_GAP))
                .as("nothing was passed over")
                .isZero();
        b.receive(4_000, a, 0, 0, 0);
        b.receive(4_000, a, 0, 3, 3);
        b.writer.write(4_000, b.out, Minifloat.HINT_NONE, 1, 0);
        a.reader.onReport(8_000, b.written(), AckReader.Kind.ACK);
        int byRule = (int) a.counters.get(Counter.RETRANSMIT_GAP);
        long flying = a.congestion.inFlightBytes(0);
        late.loseOn(900_000, path());
        late.loseOn(900_000, path());
        assertThat(a.counters.get(Counter.RETRANSMIT_GAP)).isEqualTo(2);
        assertThat(path().queued()).isEqualTo(2);
        assertThat(flying).isEqualTo(1_000L * (2 - byRule));
        assertThat(a.congestion.inFlightBytes(0)).isZero();
        assertThat(a.congestion.windowBytes(0)).isLessThan(window);
    }

    private Path path() {
        return a.paths.outbound(0);
    }
}
