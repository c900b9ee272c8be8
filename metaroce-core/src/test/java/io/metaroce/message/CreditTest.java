package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.connection.UpdateSink.Freshness;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.num.Deadline;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.wire.StreamUpdate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What may leave: announcements, credits, open messages, turns; and what happens when the word about them is lost. */
class CreditTest {
    private Pair pair = new Pair(Side.Shape.PLAIN);

    @Test
    @Covers("R-ORD-008")
    void nothingIsSentOnAStreamThePeerHasNotAnnounced() {
        pair.a.open(pair.nowNs, 0);
        pair.start();
        write(pair.a, 0);
        pair.settle();
        assertThat(pair.a.send(pair.nowNs, 10)).isZero();
        pair.b.open(pair.nowNs, 0);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
    }

    @Test
    void anAnnouncementInTheHandshakeCountsBeforeAndAfterTheStreamIsBound() {
        pair.a.table.peerOpened(pair.nowNs, 0, 1);
        pair.open(0);
        pair.a.open(pair.nowNs, 1);
        pair.a.table.peerOpened(pair.nowNs, 1, 0);
        pair.a.table.start(pair.nowNs);
        send(pair.a, 0);
        send(pair.a, 0);
        write(pair.a, 1);
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(2);
    }

    @Test
    void nothingIsSentBeforeTheConnectionStands() {
        pair.open(0);
        pair.a.table.peerOpened(pair.nowNs, 0, 0);
        write(pair.a, 0);
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 10)).isZero();
        pair.a.table.start(pair.nowNs);
        assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(1);
    }

    @Test
    @Covers("R-SEND-003")
    void aSendLeavesOnlyWithACredit() {
        pair.open(0).start();
        for (int i = 0; i < 5; i++) {
            send(pair.a, 0);
        }
        for (int posted = 0; posted < 5; posted++) {
            pair.bells();
            pair.reports();
            assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(posted == 0 ? 0 : 1);
            assertThat(pair.b.table.postedReceives(0)).isEqualTo(posted);
            pair.b.postReceive(0, cell -> {});
        }
    }

    @Test
    void aWriteBehindASendWithoutCreditWaitsForItsTurn() {
        pair.open(0).start();
        send(pair.a, 0);
        write(pair.a, 0);
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 10)).isZero();
    }

    @Test
    @Covers("R-SEND-006")
    void lostCreditsAreAskedForWithGrowingPauses() {
        pair.open(0).start();
        send(pair.a, 0);
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 10)).isZero();
        pair.b.postReceive(0, cell -> {});
        pair.bells();
        pair.news(pair.b);
        pair.nowNs++;
        pair.news(pair.b); // told twice, lost twice
        long first = pair.a.table.source().deadlineNs();
        assertThat(first).isLessThan(Deadline.NEVER);
        pair.nowNs = first;
        pair.a.table.source().onDeadline(first);
        assertThat(pair.a.questions).containsExactly(0);
        assertThat(pair.a.table.source().deadlineNs() - first).isEqualTo(2000);
        pair.answerQuestions(pair.b);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
        // A deadline may be kept past its reason; it is dropped when it comes.
        pair.a.table.source().onDeadline(pair.a.table.source().deadlineNs());
        assertThat(pair.a.table.source().deadlineNs()).isEqualTo(Deadline.NEVER);
    }

    @Test
    @Covers("R-ORD-009")
    void deliveredButNotReportedMessagesAreAskedAboutEverMoreSeldom() {
        pair.open(0).start();
        write(pair.a, 0);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        Side.Sent sent = pair.a.flight.get(0);
        pair.deliver(pair.a, sent);
        assertThat(pair.a.table.source().deadlineNs()).isEqualTo(Deadline.NEVER);
        pair.a.acked(pair.nowNs, sent);
        for (int i = 1; i <= 3; i++) {
            long due = pair.a.table.source().deadlineNs();
            assertThat(due).isEqualTo(pair.nowNs + (1000L << (i - 1)));
            pair.a.table.source().onDeadline(due - 1);
            assertThat(pair.a.questions).hasSize(i - 1);
            pair.nowNs = due;
            pair.a.table.source().onDeadline(due);
            assertThat(pair.a.questions).hasSize(i);
        }
        pair.answerQuestions(pair.b);
        pair.a.poll(1);
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
        pair.a.table.source().onDeadline(pair.nowNs + 1_000_000);
        assertThat(pair.a.questions).isEmpty();
    }

    @Test
    @Covers("R-ORD-009")
    void aMessageThatCompletesMakesTheNextQuestionAsSoonAsTheFirst() {
        pair.open(0).start();
        write(pair.a, 0);
        leaveUnreported();
        askInVain(10);
        pair.answerQuestions(pair.b);
        write(pair.a, 0);
        leaveUnreported();
        assertFirstQuestionAfterAProbeTimeout();
    }

    @Test
    @Covers({"R-ORD-009", "R-SEND-006"})
    void aCreditThatComesLateMakesTheNextQuestionAsSoonAsTheFirst() {
        pair.open(0).start();
        send(pair.a, 0);
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 10)).isZero();
        askInVain(10);
        pair.a.questions.clear();
        pair.b.postReceive(0, cell -> {});
        pair.bells();
        pair.reports();
        leaveUnreported();
        assertFirstQuestionAfterAProbeTimeout();
    }

    @Test
    @Covers({"R-ORD-009", "R-SEND-006"})
    void aRefusalThatComesLateMakesTheNextQuestionAsSoonAsTheFirst() {
        pair = new Pair(Side.Shape.PLAIN.rnr(new RnrPolicy(RnrPolicy.Trust.ONE_BEYOND, 2, 500)));
        pair.open(0).start();
        send(pair.a, 0);
        leaveUnreported();
        askInVain(10);
        pair.answerQuestions(pair.b);
        pair.b.postReceive(0, cell -> {});
        pair.bells();
        pair.b.refusals.clear();
        pair.nowNs = pair.a.table.source().deadlineNs();
        pair.a.table.source().onDeadline(pair.nowNs);
        leaveUnreported();
        assertFirstQuestionAfterAProbeTimeout();
    }

    /** The packet that may leave does, arrives, and is acknowledged; nothing is said of its message. */
    private void leaveUnreported() {
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(1);
        Side.Sent sent = pair.a.flight.get(0);
        pair.deliver(pair.a, sent);
        pair.a.acked(pair.nowNs, sent);
    }

    private void askInVain(int times) {
        for (int i = 0; i < times; i++) {
            pair.nowNs = pair.a.table.source().deadlineNs();
            pair.a.table.source().onDeadline(pair.nowNs);
        }
        assertThat(pair.a.questions).hasSize(times);
    }

    private void assertFirstQuestionAfterAProbeTimeout() {
        long due = pair.nowNs + 1000;
        while (pair.a.table.source().deadlineNs() <= due) {
            pair.nowNs = pair.a.table.source().deadlineNs();
            pair.a.table.source().onDeadline(pair.nowNs);
            if (!pair.a.questions.isEmpty()) {
                break;
            }
        }
        assertThat(pair.a.questions).containsExactly(0);
    }

    @Test
    @Covers("R-ORD-007")
    void theSumOfOpenMessagesStaysBelowThePeersLimit() {
        Pair few = new Pair(Side.Shape.PLAIN, Side.Shape.PLAIN.openMessages(4));
        few.open(0).open(1).start();
        for (int i = 0; i < 10; i++) {
            write(few.a, 0);
            write(few.a, 1);
        }
        few.bells();
        assertThat(few.a.send(few.nowNs, 100)).isEqualTo(3);
        few.deliver(few.a, few.a.flight.get(0));
        few.report(few.b);
        assertThat(few.a.send(few.nowNs, 100)).isEqualTo(1);
        few.a.flight.stream().filter(s -> !s.isAccepted).toList().forEach(s -> few.deliver(few.a, s));
        few.report(few.b);
        assertThat(few.a.send(few.nowNs, 100)).isEqualTo(3);
        few.settle();
        assertThat(few.a.completions).hasSize(20);
    }

    @Test
    void streamsTakeTurnsSoThatNoneStarves() {
        pair.open(0).open(1).open(2).start();
        MemoryRegion from = pair.a.memory(1 << 20);
        MemoryRegion to = pair.b.memory(1 << 20);
        pair.a.post(
                0,
                cell -> cell.opcode(WrOpcode.RDMA_WRITE)
                        .rkey(to.key())
                        .remoteAddress(to.base())
                        .addSge(from.key(), 0, 1 << 20));
        write(pair.a, 1);
        pair.a.post(
                2,
                cell -> cell.opcode(WrOpcode.RDMA_WRITE)
                        .rkey(to.key())
                        .remoteAddress(to.base())
                        .addSge(from.key(), 0, 1 << 20));
        pair.bells();
        pair.a.send(pair.nowNs, 40);
        List<Integer> turns = new ArrayList<>();
        for (Side.Sent sent : pair.a.flight) {
            turns.add(Pair.view(sent).message().streamId());
        }
        assertThat(turns.subList(0, ReadyStreams.BURST_PACKETS)).containsOnly(0);
        assertThat(turns.get(ReadyStreams.BURST_PACKETS)).isEqualTo(1);
        assertThat(turns.stream().filter(id -> id == 2).count()).isGreaterThanOrEqualTo(15);
        assertThat(turns.stream().filter(id -> id == 0).count()).isGreaterThanOrEqualTo(15);
    }

    @Test
    @Covers("R-ACK-008")
    void newsIsToldInTwoReportsAndNeverTwiceInOne() {
        pair.open(0).open(1);
        List<Integer> first = ids(pair.news(pair.a));
        assertThat(first).containsExactly(0, 1);
        pair.nowNs++;
        assertThat(ids(pair.news(pair.a))).containsExactly(0, 1);
        pair.nowNs++;
        assertThat(pair.a.table.updates().hasNews()).isFalse();
        assertThat(ids(pair.news(pair.a))).isEmpty();
    }

    @Test
    void halfOfTheCreditsBeingNewIsWorthAReport() {
        pair.open(0).start();
        pair.reports();
        pair.b.isReportWanted = false;
        pair.b.postReceive(0, cell -> {});
        pair.bells();
        assertThat(pair.b.isReportWanted).as("the peer has none").isTrue();
        for (int i = 0; i < 9; i++) {
            pair.b.postReceive(0, cell -> {});
        }
        pair.bells();
        pair.reports();
        assertThat(pair.b.isReportWanted).isFalse();
        pair.b.postReceive(0, cell -> {});
        pair.bells();
        assertThat(pair.b.isReportWanted).as("one in eleven").isFalse();
    }

    @Test
    @Covers("R-ORD-010")
    void updatesAreMergedForwardOnly() {
        pair.open(0).start();
        pair.b.postReceive(0, cell -> {});
        pair.b.postReceive(0, cell -> {});
        pair.bells();
        StreamUpdate old = pair.describe(pair.b, 0).rsnLimit(1);
        pair.reports();
        pair.a.table.updateSink().onUpdate(pair.nowNs, old, Freshness.NEWEST);
        send(pair.a, 0);
        send(pair.a, 0);
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(2);
    }

    @Test
    void aCompletionQueueWithoutRoomHoldsBackReceivesAndIsNeverOverrun() {
        Pair tight = new Pair(Side.Shape.PLAIN, Side.Shape.PLAIN.cqDepth(2));
        tight.open(0).start();
        for (int i = 0; i < 6; i++) {
            tight.b.postReceive(0, cell -> {});
            send(tight.a, 0);
        }
        tight.bells();
        assertThat(tight.b.table.postedReceives(0)).isEqualTo(1);
        tight.settle();
        assertThat(tight.b.statuses(100)).hasSize(6);
        assertThat(tight.a.statuses(0)).hasSize(6);
    }

    private static List<Integer> ids(List<StreamUpdate> updates) {
        return updates.stream().map(StreamUpdate::streamId).toList();
    }

    private static void send(Side side, int stream) {
        side.post(stream, cell -> cell.opcode(WrOpcode.SEND));
    }

    private static void write(Side side, int stream) {
        side.post(stream, cell -> cell.opcode(WrOpcode.RDMA_WRITE));
    }
}
