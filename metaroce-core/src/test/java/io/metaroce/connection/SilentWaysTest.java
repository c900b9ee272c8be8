package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Deadline;
import io.metaroce.num.Minifloat;
import io.metaroce.path.PathState;
import io.metaroce.trace.TransportEvents;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Questions whether reports arrive: two planes, six paths, those with even numbers on plane 0. */
@Covers("R-ACK-010")
class SilentWaysTest {
    private static final int PATHS = 6;
    private static final long EVERY_NS = 1_000_000;
    private final Rig a = Rig.a(PATHS, 2);
    private final Rig b = Rig.b(PATHS, 2);
    private final SilentWays ways = Objects.requireNonNull(a.keeping(TransportEvents.NONE).silentWays);
    private final int[] sent = new int[PATHS];
    private long nowNs = 10_000_000;

    @Test
    void aSlotIsFollowedByOneQuestionOnEachPlane() {
        assertThat(ways.deadlineNs()).isEqualTo(Deadline.NEVER);
        ways.onSlot(nowNs);
        ways.onSlot(nowNs + 500);
        assertThat(ways.deadlineNs()).isEqualTo(nowNs + EVERY_NS);
        ways.onDeadline(nowNs + EVERY_NS - 1);
        assertThat(asked()).isEmpty();
        ways.onDeadline(nowNs + EVERY_NS);
        assertThat(asked()).containsExactly(1, 2);
        assertThat(ways.deadlineNs()).isGreaterThan(nowNs + EVERY_NS);
    }

    @Test
    void whereWayAndBackTakeLongQuestionsAreRarer() {
        for (int i = 0; i < 40; i++) {
            deliver(0, 200_000);
        }
        long rttNs = a.paths.outbound(0).smoothedRttNs();
        assertThat(rttNs).isGreaterThan(150_000);
        ways.onSlot(nowNs);
        assertThat(ways.deadlineNs()).isEqualTo(nowNs + 16 * rttNs);
    }

    @Test
    void planesThatSpeakForThemselvesAreNotAsked() {
        a.send(nowNs, 4);
        ask();
        assertThat(asked()).as("plane 0 has something under way").containsExactly(1);
    }

    @Test
    void whatWasHeardLatelySpeaksToo() {
        deliver(3, Rig.RTT_NS);
        long heardNs = a.paths.outbound(3).lastEvidenceNs();
        ways.onSlot(heardNs - 1);
        ways.onDeadline(heardNs + EVERY_NS - 1);
        assertThat(asked()).as("plane 1 was heard").containsExactly(2);
    }

    @Test
    void whatWasHeardAWhileAgoDoesNot() {
        deliver(3, Rig.RTT_NS);
        long heardNs = a.paths.outbound(3).lastEvidenceNs();
        ways.onSlot(heardNs);
        ways.onDeadline(heardNs + EVERY_NS);
        assertThat(asked()).containsExactly(1, 2);
    }

    @Test
    void whoDoesNotAnswerWhileAnotherDoesIsSuspectAndItsPlaneAskedAndLeft() {
        ask();
        nowNs += 1_000;
        answer(2);
        judge();
        assertThat(state(1)).isEqualTo(PathState.SUSPECT);
        assertThat(state(2)).isEqualTo(PathState.ACTIVE);
        assertThat(asked()).contains(3, 5);
        nowNs += 1_000;
        answer(2);
        judge();
        for (int path = 0; path < PATHS; path++) {
            assertThat(a.paths.outbound(path).plane()).as("path %d", path).isZero();
            assertThat(state(path)).as("path %d", path).isEqualTo(PathState.ACTIVE);
        }
    }

    @Test
    void whileNobodyAnswersAWitnessIsAskedAndThenNobodyIsBlamed() {
        ask();
        assertThat(asked()).containsExactly(1, 2);
        judge();
        assertThat(asked()).as("one more").hasSize(3);
        judge();
        assertThat(ways.deadlineNs()).as("that was all").isEqualTo(Deadline.NEVER);
        for (int path = 0; path < PATHS; path++) {
            assertThat(state(path)).isEqualTo(PathState.ACTIVE);
        }
        ask();
        assertThat(asked()).as("others than before").contains(3, 2);
    }

    @Test
    void whoHasAnsweredIsAskedNoMore() {
        ask();
        nowNs += 1_000;
        answer(1);
        answer(2);
        judge();
        assertThat(ways.deadlineNs()).isEqualTo(Deadline.NEVER);
        assertThat(state(1)).isEqualTo(PathState.ACTIVE);
    }

    private void ask() {
        ways.onSlot(nowNs);
        nowNs += EVERY_NS;
        ways.onDeadline(nowNs);
    }

    private void judge() {
        nowNs = ways.deadlineNs();
        ways.onDeadline(nowNs);
    }

    private void answer(int path) {
        deliver(path, Rig.RTT_NS);
    }

    private void deliver(int path, long rttNs) {
        a.send(nowNs, path);
        b.receive(nowNs + rttNs / 2, a, path, sent[path]++, (int) (nowNs >> 4));
        b.writer.write(nowNs + rttNs / 2, b.out, Minifloat.HINT_NONE, 3, 0);
        nowNs += rttNs;
        a.reader.onReport(nowNs, b.written(), AckReader.Kind.ACK);
    }

    private Set<Integer> asked() {
        Set<Integer> asked = new TreeSet<>();
        for (int i = 0; i < PATHS; i++) {
            if (a.paths.outbound(i).isProbeWanted()) {
                asked.add(i);
            }
        }
        return asked;
    }

    private PathState state(int path) {
        return a.paths.outbound(path).state();
    }
}
