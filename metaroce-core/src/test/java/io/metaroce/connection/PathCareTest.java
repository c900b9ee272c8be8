package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import io.metaroce.path.Path;
import io.metaroce.path.PathState;
import io.metaroce.path.Tail;
import io.metaroce.trace.Counter;
import io.metaroce.trace.TransportEvents;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Four paths; those that a test does not let go on fall silent. */
class PathCareTest {
    private static final long RTT_NS = Rig.RTT_NS;
    private final Rig a = Rig.a(4, 1);
    private final Rig b = Rig.b(4, 1);
    private final List<String> told = new ArrayList<>();
    private final PathCare care = a.keeping(new Told()).care;
    private final int[] sent = new int[4];
    private long nowNs = 1_000_000;

    @BeforeEach
    void everyPathHasDelivered() {
        for (int i = 0; i < 4; i++) {
            a.send(nowNs, i);
            sent[i]++;
            nowNs += RTT_NS; // the first sample rules
            deliver(i);
        }
    }

    @Test
    @Covers("R-HEALTH-001")
    void whoeverIsSilentWhileOthersDeliverIsSuspectAndAsked() {
        send(0);
        goOnUntilSuspect();
        assertThat(path(0).state()).isEqualTo(PathState.SUSPECT);
        assertThat(path(0).isProbeWanted()).isTrue();
        assertThat(a.counters.get(Counter.PATHS_SUSPECTED)).isEqualTo(1);
        assertThat(told).containsExactly("path 0 state 2");
    }

    @Test
    @Covers("R-PATH-017")
    void theDonorIsTheHealthyPathWithTheLowestNumber() {
        send(0);
        goOnUntilMoved(0, 1, 2, 3);
        assertThat(path(0).route()).isSameAs(path(1).route());
        assertThat(path(0).isBorrowed()).isTrue();
        assertThat(a.counters.get(Counter.PATHS_REBOUND)).isEqualTo(1);
        assertThat(a.counters.get(Counter.RETRANSMIT_REBIND)).isEqualTo(1);
        assertThat(a.congestion.inFlightBytes(0)).isZero();
        assertThat(told).last().isEqualTo("path 0 epoch 1");
    }

    @Test
    void theNextDonorIsTheOneWithFewestBorrowers() {
        send(0);
        goOnUntilMoved(0, 1, 2, 3);
        send(2);
        goOnUntilMoved(2, 1, 3);
        assertThat(path(2).route()).isSameAs(path(3).route());
    }

    @Test
    void whoeverIsOnARouteOfItsOwnLendsBeforeABorrower() {
        send(1);
        goOnUntilMoved(1, 0, 2, 3);
        assertThat(path(1).route()).isSameAs(path(0).route());
        resend(1);
        send(2);
        goOnUntilMoved(2, 1, 3); // 1 has no borrowers, but borrows itself
        assertThat(path(2).route()).isSameAs(path(3).route());
    }

    @Test
    @Covers("R-HEALTH-003")
    void withoutADonorASuspicionStaysOne() {
        for (int i = 0; i < 4; i++) {
            send(i);
        }
        for (int i = 0; i < 4_000; i++) {
            pass(RTT_NS);
        }
        for (int i = 0; i < 4; i++) {
            assertThat(path(i).epoch()).isZero();
            assertThat(path(i).state()).isNotEqualTo(PathState.FAILED);
        }
        assertThat(a.counters.get(Counter.PATHS_REBOUND)).isZero();
    }

    @Test
    @Covers("R-HEALTH-002")
    void aSuspectThatAnswersIsActiveAgain() {
        send(0);
        goOnUntilSuspect();
        assertThat(path(0).state()).isEqualTo(PathState.SUSPECT);
        deliver(0);
        assertThat(path(0).state()).isEqualTo(PathState.ACTIVE);
        for (int i = 0; i < 20; i++) {
            goOn(1);
        }
        assertThat(path(0).epoch()).isZero();
    }

    @Test
    void aSuspectIsAskedOftenBeforeItIsConfirmed() {
        send(0);
        goOnUntilSuspect();
        int asked = 0;
        for (int i = 0; i < 1_000 && path(0).epoch() == 0; i++) {
            if (path(0).isProbeWanted()) {
                asked++;
                path(0).takeStamp(nowNs);
                path(0).probed();
            }
            send(1);
            pass(500);
            deliver(1);
        }
        assertThat(asked).isBetween(8, 16); // timeouts ask as well
    }

    @Test
    void nothingIsDueWhileNothingIsInFlight() {
        assertThat(care.deadlineNs()).isGreaterThanOrEqualTo(a.config.path().idleProbeNs());
        send(3);
        assertThat(care.deadlineNs()).isEqualTo(path(3).deadlineNs());
    }

    @Test
    @Covers("R-LOSS-005")
    void aTimeoutOfAPathCutsItsWindowOnceASlotGoesAlong() {
        send(0);
        long before = a.congestion.windowBytes(0);
        int expired = 0;
        for (int i = 0; i < 100 && expired < Path.TIMEOUTS_TO_RESEND; i++) {
            assertThat(a.congestion.windowBytes(0)).isEqualTo(before);
            nowNs = care.deadlineNs();
            long count = a.counters.get(Counter.PTO_EXPIRED);
            care.onDeadline(nowNs);
            expired += (int) (a.counters.get(Counter.PTO_EXPIRED) - count);
        }
        assertThat(a.congestion.windowBytes(0)).isLessThan(before);
        assertThat(a.counters.get(Counter.RETRANSMIT_PTO)).isEqualTo(1);
        assertThat(path(0).isResendForced()).isTrue();
    }

    @Test
    @Covers("R-HEALTH-003")
    void whoStoodStillSuspectsNobodyAndAsksAgain() {
        send(0);
        for (int i = 0; i < 20; i++) {
            care.onPaused(nowNs);
            goOn(1);
            assertThat(path(0).state()).isEqualTo(PathState.ACTIVE);
        }
        assertThat(path(0).isProbeWanted()).isTrue();
        goOnUntilSuspect();
        assertThat(path(0).state()).isEqualTo(PathState.SUSPECT);
    }

    @Test
    @Covers("R-HEALTH-003")
    void whoStoodStillAsksOnThePathsThatWaitAtOnce() {
        send(0);
        assertThat(asked()).isEmpty();
        care.onPaused(nowNs);
        assertThat(asked()).containsExactly(0);
    }

    @Test
    void aTimeoutWhenNobodyElseIsUnderWayAsksSomebodyBeside() {
        send(0);
        while (a.counters.get(Counter.PTO_EXPIRED) == 0) {
            nextDeadline();
        }
        assertThat(asked()).hasSize(2).contains(0);
    }

    @Test
    void aPathWhoseQuestionIsNotAnsweredIsSuspectOnceOthersHaveSpoken() {
        long askedAtNs = nowNs;
        assertThat(care.onUnanswered(nowNs, path(0), askedAtNs)).isFalse();
        assertThat(path(0).state()).isEqualTo(PathState.ACTIVE);
        goOn(1);
        assertThat(care.onUnanswered(nowNs, path(0), askedAtNs)).isTrue();
        assertThat(path(0).state()).isEqualTo(PathState.SUSPECT);
        assertThat(care.onUnanswered(nowNs, path(0), askedAtNs)).isFalse(); // it is already
    }

    @Test
    @Covers("R-HEALTH-009")
    void whoIsSaidToBeUnreachableIsSuspectAndSomebodyElseIsAskedBeside() {
        care.onUnreachable(nowNs, path(2).plane() + 1, path(2).route().entropy());
        care.onUnreachable(nowNs, path(2).plane(), 60_000);
        assertThat(path(2).state()).isEqualTo(PathState.ACTIVE);
        assertThat(asked()).isEmpty();
        care.onUnreachable(nowNs, path(2).plane(), path(2).route().entropy());
        assertThat(path(2).state()).isEqualTo(PathState.SUSPECT);
        assertThat(asked()).hasSize(2).contains(2);
    }

    @Test
    void aRouteThatDoesNotCarryWhatIsNeededIsLeftForThatOfAnother() {
        care.leaveRoute(nowNs, path(3));
        assertThat(path(3).isBorrowed()).isTrue();
        assertThat(path(3).state()).isEqualTo(PathState.ACTIVE);
        assertThat(path(3).route()).isSameAs(path(0).route());
    }

    @Test
    @Covers("R-HEALTH-012")
    void whileEverythingIsSilentOneThatWaitsIsAskedAndOneBesideButWindowsOfTheOthersStay() {
        for (int i = 0; i < 3; i++) {
            send(i);
        }
        long windowOfNobody = a.congestion.windowBytes(3);
        for (int i = 0; i < 60; i++) {
            nextDeadline();
        }
        forgetQuestions();
        boolean[] wasAsked = new boolean[4];
        for (int i = 0; i < 12; i++) {
            nextDeadline();
            List<Integer> asked = asked();
            assertThat(asked).hasSizeLessThanOrEqualTo(2);
            asked.forEach(path -> wasAsked[path] = true);
            forgetQuestions();
        }
        assertThat(wasAsked).containsOnly(true);
        assertThat(a.congestion.windowBytes(3)).isEqualTo(windowOfNobody);
        assertThat(a.congestion.windowBytes(0)).isLessThan(windowOfNobody);
    }

    private void nextDeadline() {
        nowNs = Math.max(nowNs, care.deadlineNs());
        care.onDeadline(nowNs);
    }

    private List<Integer> asked() {
        List<Integer> asked = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            if (path(i).isProbeWanted()) {
                asked.add(i);
            }
        }
        return asked;
    }

    private void forgetQuestions() {
        for (int i : asked()) {
            path(i).takeStamp(nowNs);
            path(i).probed();
        }
    }

    private Path path(int i) {
        return a.paths.outbound(i);
    }

    private void send(int path) {
        a.send(nowNs, path);
        sent[path]++;
    }

    // What waits on a path is sent again, and arrives.
    private void resend(int path) {
        int slot = path(path).nextResend();
        path(path).sent(nowNs, slot, path(path).takeStamp(nowNs), 1000, 1_000, Tail.LAST);
        a.congestion.onSent(nowNs, path, 1000);
        deliver(path);
    }

    private void pass(long ns) {
        nowNs += ns;
        care.onDeadline(nowNs);
    }

    /** Everything sent on the path so far arrives, and is reported a moment later. */
    private void deliver(int path) {
        int stamp = stampOf(path);
        for (int i = 0; i < sent[path]; i++) {
            b.receive(nowNs, a, path, i, stamp);
        }
        nowNs += RTT_NS / 2;
        for (int i = 0; i < 2; i++) {
            b.writer.write(nowNs, b.out, Minifloat.HINT_NONE, 1, 0);
            a.reader.onReport(nowNs, b.written(), AckReader.Kind.ACK);
        }
        care.onReport(nowNs);
        assertThat(path(path).unacked()).isZero();
    }

    private int stampOf(int path) {
        return path(path).isInUse() ? path(path).oldestStamp() : 0;
    }

    private void goOn(int... paths) {
        pass(RTT_NS);
        for (int path : paths) {
            send(path);
            deliver(path);
        }
    }

    private void goOnUntilSuspect() {
        for (int i = 0; i < 10 && path(0).state() == PathState.ACTIVE; i++) {
            goOn(1);
        }
    }

    private void goOnUntilMoved(int path, int... others) {
        int epoch = path(path).epoch();
        for (int i = 0; i < 100 && path(path).epoch() == epoch; i++) {
            goOn(others);
        }
        assertThat(path(path).epoch()).isEqualTo(epoch + 1);
    }

    private final class Told implements TransportEvents {
        @Override
        public void pathState(long atNs, int connectionId, int path, int state) {
            told.add("path " + path + " state " + state);
        }

        @Override
        public void pathRebound(long atNs, int connectionId, int path, int epoch, int entropy) {
            told.add("path " + path + " epoch " + epoch);
        }
    }
}
