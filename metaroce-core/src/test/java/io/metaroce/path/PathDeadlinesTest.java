package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;
import io.metaroce.num.Deadline;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.Profiles;
import io.metaroce.wire.PathBlock;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PathDeadlinesTest {
    private static final List<PathEvent> EVENTS = List.of(PathEvent.values());
    private static final int PATHS = 70; // more than one word of bits
    private static final int STEPS = 5_000;
    private static final long STEP_NS = 40_000;
    private static final long RTT_NS = 100_000;
    private static final long PEER_DELAY_NS = 10_000;

    private final PathTable table =
            new PathTable(PATHS, Profiles.model().path(), new SlotSlab(2 * STEPS), RxWindow.WIDTH_PACKETS, RTT_NS);
    private final PathDeadlines deadlines = table.deadlines();
    private final Path[] paths = new Path[PATHS];
    private final int[] stamps = new int[PATHS]; // the last one of each
    private final int[] opened = new int[PATHS]; // the slot that is open and not yet sent, or NONE
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
            opened[i] = SlotSlab.NONE;
        }
    }

    @Test
    void whateverChangesTheDeadlineOfAPathIsTold() {
        for (int step = 0; step < STEPS; step++) {
            change(paths[dice.nextInt(PATHS)]);
            if (dice.nextInt(3) == 0) {
                assertThat(deadlines.earliestNs(paths)).as("step %d", step).isEqualTo(earliest());
                assertThat(remembered()).as("step %d", step).isEqualTo(asked());
            }
            nowNs += dice.nextInt((int) STEP_NS);
        }
    }

    @Test
    void aDeadlineIsThatOfTheLastTimeItWasAskedFor() {
        send(paths[66]);
        long firstNs = paths[66].deadlineNs();
        deadlines.earliestNs(paths);
        assertThat(deadlines.atNs(66)).isEqualTo(firstNs);
        assertThat(deadlines.atNs(2)).isEqualTo(Deadline.NEVER);
        nowNs += STEP_NS;
        send(paths[66]);
        assertThat(deadlines.atNs(66)).isEqualTo(firstNs);
        deadlines.earliestNs(paths);
        assertThat(deadlines.atNs(66)).isEqualTo(paths[66].deadlineNs()).isGreaterThan(firstNs);
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
        int id = path.id();
        switch (dice.nextInt(20)) {
            case 0, 1, 2, 3 -> sendInSteps(path);
            case 4 -> path.wantProbe();
            case 5 -> {
                stamp(path);
                path.probed();
            }
            case 6 -> path.onDeadline(nowNs, PEER_DELAY_NS, nobody);
            case 7 -> path.onOvertakenEvidence(nowNs, PEER_DELAY_NS);
            case 8, 9, 10 -> report(path);
            case 11 -> stamp(path);
            case 12 -> path.loseLate(nowNs, nobody);
            case 13 -> path.beginAnew(nowNs, PEER_DELAY_NS);
            case 14 -> path.on(EVENTS.get(dice.nextInt(EVENTS.size())), nowNs);
            case 15 -> Rebind.borrow(nowNs, path, paths[(id + 1 + dice.nextInt(PATHS - 1)) % PATHS], nobody);
            case 16 -> Rebind.own(nowNs, path, path.route(), RTT_NS, PathEvent.DRAINED, nobody);
            case 17 -> Rebind.fail(nowNs, path, nobody);
            case 18 -> {
                if (path.lowest() != SlotSlab.NONE && path.lowest() != opened[id]) {
                    path.settle(path.lowest(), nobody);
                }
            }
            default -> {
                path.discard();
                opened[id] = SlotSlab.NONE;
            }
        }
    }

    /** Some of the oldest slots have come, and a few of the next; perhaps the report is a late one. */
    private void report(Path path) {
        int first = path.lowest() == SlotSlab.NONE ? path.nextPsn() : table.slab.psn(path.lowest());
        int sent = path.nextPsn() - (opened[path.id()] == SlotSlab.NONE ? 0 : 1);
        int cum = Math.min(first + dice.nextInt(2), sent);
        int more = Math.min(sent - cum, 4);
        StringBuilder bits = new StringBuilder();
        for (int i = 0; i < more; i++) {
            bits.append(dice.nextInt(3) == 0 ? '0' : '1');
        }
        PathBlock block = Blocks.of(cum, bits.toString(), stamps[path.id()] - dice.nextInt(3), path.epoch());
        if (!path.isCredible(block)) {
            return;
        }
        boolean evidence = path.isEvidence(block);
        path.merge(nowNs, block, nobody);
        if (evidence) {
            path.onEvidence(nowNs, block, true, 256, PEER_DELAY_NS, nobody);
        }
    }

    private int stamp(Path path) {
        stamps[path.id()] = path.takeStamp(nowNs);
        return stamps[path.id()];
    }

    private void send(Path path) {
        if (path.hasRoom()) {
            transmit(path, path.open());
        }
    }

    /** In two steps: a slot is opened, and another time it is sent; or one is sent again. */
    private void sendInSteps(Path path) {
        int id = path.id();
        if (opened[id] != SlotSlab.NONE) {
            transmit(path, opened[id]);
            opened[id] = SlotSlab.NONE;
        } else if (path.nextResend() != SlotSlab.NONE) {
            transmit(path, path.nextResend());
        } else if (path.hasRoom()) {
            opened[id] = path.open();
        }
    }

    private void transmit(Path path, int slot) {
        path.sent(nowNs, slot, stamp(path), 1000, PEER_DELAY_NS, Tail.LAST);
    }

    private long[] remembered() {
        return LongStream.range(0, PATHS)
                .map(path -> deadlines.atNs((int) path))
                .toArray();
    }

    private long[] asked() {
        return Arrays.stream(paths).mapToLong(Path::deadlineNs).toArray();
    }

    private long earliest() {
        long earliest = Deadline.NEVER;
        for (Path path : paths) {
            earliest = Math.min(earliest, path.deadlineNs());
        }
        return earliest;
    }
}
