package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;
import io.metaroce.num.Deadline;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.Profiles;
import org.junit.jupiter.api.Test;

class PathDeadlinesTest {
    private static final int PATHS = 70; // more than one word of bits
    private static final int STEPS = 5_000;
    private static final long STEP_NS = 40_000;
    private static final long RTT_NS = 100_000;
    private static final long PEER_DELAY_NS = 10_000;

    private final PathTable table =
            new PathTable(PATHS, Profiles.model().path(), new SlotSlab(2 * STEPS), RxWindow.WIDTH_PACKETS, RTT_NS);
    private final PathDeadlines deadlines = table.deadlines();
    private final Path[] paths = new Path[PATHS];
    private final SplitMix64 dice = new SplitMix64(1);
    private final TxSlots.Outcome nobody = new TxSlots.Outcome() {
        @Override
        public void acked(int slot) {}

        @Override
        public void lost(int slot) {}
    };
    private long nowNs = 1_000_000;

    PathDeadlinesTest() {
        for (int i = 0; i < PATHS; i++) {
            Route route = new Route(0, i, Address.ipv4(1, 1));
            paths[i] = new Path(i, table, 0, route);
        }
    }

    @Test
    void whateverChangesTheDeadlineOfAPathIsTold() {
        for (int step = 0; step < STEPS; step++) {
            change(paths[dice.nextInt(PATHS)]);
            if (dice.nextInt(3) == 0) {
                assertThat(deadlines.earliestNs(paths)).as("step %d", step).isEqualTo(earliest());
            }
            nowNs += dice.nextInt((int) STEP_NS);
        }
    }

    @Test
    void suspectsAndFailedPathsAreCounted() {
        paths[3].on(PathEvent.SILENT, nowNs);
        assertThat(deadlines.hasSuspects()).isTrue();
        assertThat(deadlines.hasFailed()).isFalse();
        paths[3].on(PathEvent.CONFIRMED_ALONE, nowNs);
        assertThat(deadlines.hasSuspects()).isFalse();
        assertThat(deadlines.hasFailed()).isTrue();
        paths[3].on(PathEvent.CANDIDATE_ECHOED, nowNs);
        assertThat(deadlines.hasFailed()).isFalse();
    }

    private void change(Path path) {
        switch (dice.nextInt(6)) {
            case 0, 1 -> send(path);
            case 2 -> path.wantProbe();
            case 3 -> {
                path.takeStamp(nowNs);
                path.probed();
            }
            case 4 -> path.onDeadline(nowNs, PEER_DELAY_NS, nobody);
            default -> path.onOvertakenEvidence(nowNs, PEER_DELAY_NS);
        }
    }

    private void send(Path path) {
        if (path.hasRoom()) {
            int slot = path.open();
            path.sent(nowNs, slot, path.takeStamp(nowNs), 1000, PEER_DELAY_NS, Tail.LAST);
        }
    }

    private long earliest() {
        long earliest = Deadline.NEVER;
        for (Path path : paths) {
            earliest = Math.min(earliest, path.deadlineNs());
        }
        return earliest;
    }
}
