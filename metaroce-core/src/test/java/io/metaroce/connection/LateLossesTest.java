package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import io.metaroce.path.Path;
import io.metaroce.trace.Counter;
import io.metaroce.trace.TransportEvents;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Slots that were passed over, and of which nothing was heard for the time that overtaking may take. */
class LateLossesTest {
    private final Rig a = Rig.a(2, 1);
    private final Rig b = Rig.b(2, 1);
    private final LateLosses late =
            new LateLosses(a.congestion, a.slab, a.scratch.signal, a.counters, a.agreement, new Told());
    private final List<Integer> told = new ArrayList<>();

    @Test
    @Covers({"R-LOSS-003", "R-LOSS-006"})
    void whatIsLateIsLostOnceAndLeavesFlight() {
        assertThatThrownBy(() -> late.acked(0)).isInstanceOf(IllegalStateException.class);
        letOvertake();
        int before = (int) a.counters.get(Counter.RETRANSMIT_GAP);
        long sentNs = 100_000;
        for (int i = 0; i < 4; i++) {
            a.send(sentNs + 16L * i, 0);
        }
        report(sentNs + 4_000, 4, stamp(sentNs), 7, stamp(sentNs) + 3);
        assertThat(a.counters.get(Counter.RETRANSMIT_GAP))
                .as("one later packet may pass, not two")
                .isEqualTo(before + 1);
        late.loseOn(sentNs + 8_000, path());
        assertThat(path().queued()).as("there is time yet").isEqualTo(1);
        assertThat(a.congestion.inFlightBytes(0)).isEqualTo(1_000);
        long losses = path().stats().lost();
        for (int time = 0; time < 2; time++) {
            late.loseOn(900_000, path());
            assertThat(a.counters.get(Counter.RETRANSMIT_GAP)).isEqualTo(before + 2);
            assertThat(path().queued()).isEqualTo(2);
            assertThat(a.congestion.inFlightBytes(0)).isZero();
            assertThat(path().stats().lost()).isEqualTo(losses + 1);
        }
        assertThat(told).containsExactly(psn(6));
    }

    /** Two slots that are taken for lost come after all: from now on one later packet may pass another. */
    private void letOvertake() {
        for (int i = 0; i < 4; i++) {
            a.send(16L * i, 0);
        }
        report(4_000, 0, 0, 3, 3);
        assertThat(path().queued()).isEqualTo(2);
        report(5_000, 1, 1, 2, 2);
        assertThat(path().unacked()).isZero();
        assertThat(path().reorderPackets()).isEqualTo(1);
    }

    private void report(long nowNs, int first, int firstStamp, int second, int secondStamp) {
        b.receive(nowNs, a, 0, first, firstStamp);
        b.receive(nowNs, a, 0, second, secondStamp);
        b.writer.write(nowNs, b.out, Minifloat.HINT_NONE, 1, 0);
        a.reader.onReport(nowNs + 4_000, b.written(), AckReader.Kind.ACK);
    }

    private static int stamp(long ns) {
        return (int) (ns >> 4);
    }

    private Path path() {
        return a.paths.outbound(0);
    }

    private int psn(int index) {
        return a.agreement.firstSendPsn(0) + index;
    }

    private final class Told implements TransportEvents {
        @Override
        public void slotLost(long nowNs, int connectionId, int path, int psn) {
            told.add(psn);
        }
    }
}
