package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Deadline;
import org.junit.jupiter.api.Test;

class ReportTurnTest {
    private static final int ALL = 0b1111;
    private static final long PATIENCE_NS = Rig.RTT_NS / 4;

    private final PathSet paths = Rig.a(8, 4).paths;
    private final ReportTurn turn = new ReportTurn(paths);

    @Test
    @Covers("R-ACK-015")
    void anIdlePlaneGetsNoMoreThanItsTurn() {
        int[] taken = new int[4];
        long nowNs = 0;
        for (int i = 0; i < 400; i++) {
            // Plane 1 has room at all times, the others now and then, one after the other.
            for (int busy = i; take(nowNs, 0b0010 | (1 << (busy & 3)), taken) == 0; busy++) {
                nowNs += 10;
            }
        }
        assertThat(taken).containsOnly(100);
    }

    @Test
    @Covers("R-ACK-015")
    void aPlaneThatTakesNothingIsPassedOverAfterAWhile() {
        int stuck = 1 << paths.outbound(paths.nextReporter(ALL)).plane();
        int room = ALL & ~stuck;
        assertThat(turn.planes(0, ALL, room)).isZero();
        assertThat(turn.deadlineNs()).isEqualTo(PATIENCE_NS);
        assertThat(turn.planes(PATIENCE_NS - 1, ALL, room)).isZero();
        int[] taken = new int[4];
        for (int i = 0; i < 30; i++) {
            assertThat(take(PATIENCE_NS, room, taken)).isNotZero();
        }
        assertThat(turn.deadlineNs()).isEqualTo(Deadline.NEVER);
        assertThat(taken[Integer.numberOfTrailingZeros(stuck)]).isZero();
        for (int i = 0; i < 4; i++) {
            assertThat(take(PATIENCE_NS, ALL, taken)).isNotZero();
        }
        assertThat(taken[Integer.numberOfTrailingZeros(stuck)]).isOne();
    }

    @Test
    void whereNothingHasRoomAReportWaits() {
        assertThat(turn.planes(0, ALL, 0)).isZero();
        assertThat(turn.planes(100 * Rig.RTT_NS, ALL, 0)).isZero();
        assertThat(turn.planes(101 * Rig.RTT_NS, ALL, 0b0100)).isEqualTo(0b0100);
    }

    private int take(long nowNs, int room, int[] taken) {
        int planes = turn.planes(nowNs, ALL, room);
        if (planes != 0) {
            taken[paths.nextReportRoute(planes).plane()]++;
        }
        return planes;
    }
}
