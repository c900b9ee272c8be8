package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.connection.ConnectionPort.Refusal;
import io.metaroce.connection.UpdateSink.Freshness;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.param.StreamError;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.wire.MessageHeader;
import io.metaroce.wire.StreamUpdate;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that come before their receive. */
class RnrTest {
    private static final long DELAY_NS = 50_000;
    private static final RnrPolicy BOLD = new RnrPolicy(RnrPolicy.Trust.ONE_BEYOND, 2, DELAY_NS);

    private final Pair pair = new Pair(Side.Shape.PLAIN.rnr(BOLD)).open(0).start();
    private final ByteBuffer source = ByteBuffer.allocateDirect(8192);
    private final ByteBuffer target = ByteBuffer.allocateDirect(8192);
    private final MemoryRegion from = pair.a.memory(source);
    private final MemoryRegion to = pair.b.memory(target);

    RnrTest() {
        for (int i = 0; i < 8192; i++) {
            source.put(i, (byte) (i * 7 + 1));
        }
        pair.settle();
    }

    @Test
    void onlyOneMessageIsTriedBeyondTheLimit() {
        send(100);
        send(100);
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(1);
    }

    @Test
    @Covers({"R-SEND-004", "R-ERR-003"})
    void aRefusalTravelsAtOnceAndStandsInEveryUpdate() {
        send(3000);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        pair.deliver(pair.a, pair.a.flight.get(1));
        assertThat(pair.b.refusals).hasSize(1);
        Refusal refusal = pair.b.refusals.get(0);
        assertThat(List.of(
                        refusal.streamId(), refusal.msn(), refusal.attempt(), refusal.rsnLimit(), refusal.slotPath()))
                .isEqualTo(List.of(0, 0, 0, 0, 3));
        assertThat(refusal.slotPsn())
                .isEqualTo(Pair.view(pair.a.flight.get(1)).base().psn());
        for (int i = 0; i < 3; i++) {
            StreamUpdate update = pair.describe(pair.b, 0);
            assertThat(update.flags() & StreamUpdate.REFUSED).isNotZero();
            assertThat(update.code()).isZero();
            assertThat(update.nextMsn()).isZero();
        }
        pair.deliver(pair.a, pair.a.flight.get(0));
        assertThat(pair.b.refusals).as("once per attempt").hasSize(1);
    }

    @Test
    @Covers({"R-SEND-008", "R-SEND-005", "R-SEND-009"})
    void fragmentsOfARefusedAttemptAreDroppedAndTheNextAttemptIsWhole() {
        send(3000);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        List<Side.Sent> first = List.copyOf(pair.a.flight);
        pair.deliver(pair.a, first.get(0));
        post(3000);
        pair.bells();
        pair.deliver(pair.a, first.get(1)); // a buffer is there now, but the attempt is dead
        assertThat(target.get(1024)).isZero();
        pair.report(pair.b);
        assertThat(pair.a.send(pair.nowNs, 10))
                .as("not all of the first attempt is acknowledged")
                .isZero();
        pair.a.acked(pair.nowNs, first.get(0));
        pair.a.acked(pair.nowNs, first.get(1));
        assertThat(pair.a.send(pair.nowNs, 10)).isZero();
        // What was lost of the dead attempt is withdrawn: same headers, no payload.
        Side.Sent lost = first.get(2);
        assertThat(pair.a.resend(pair.nowNs, lost)).isTrue();
        assertThat(Pair.view(lost).message().isWithdrawn()).isTrue();
        assertThat(Pair.view(lost).payloadLength()).isZero();
        assertThat(Pair.view(lost).messageLength()).isEqualTo(3000);
        pair.deliver(pair.a, lost);
        pair.a.acked(pair.nowNs, lost);
        assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(3);
        assertThat(Pair.view(pair.a.flight.get(0)).message().attempt()).isEqualTo(1);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
        assertThat(pair.b.statuses(100)).containsExactly(WcStatus.SUCCESS);
        assertPlaced(3000);
    }

    @Test
    @Covers("R-SEND-010")
    void withoutACreditTheRetryWaitsForItsDelay() {
        send(10);
        refuseOnce();
        assertThat(pair.a.send(pair.nowNs, 10)).isZero();
        long refusedNs = pair.nowNs;
        pair.a.table.source().onDeadline(refusedNs + DELAY_NS - 1);
        assertThat(pair.a.send(pair.nowNs, 10)).isZero();
        long due = pair.a.table.source().deadlineNs();
        assertThat(due).isEqualTo(refusedNs + DELAY_NS);
        pair.nowNs = due;
        pair.a.table.source().onDeadline(due);
        assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(1);
    }

    @Test
    @Covers("R-SEND-011")
    void theRequestFailsWhenItsAttemptsAreUsedUp() {
        send(10);
        send(10);
        for (int attempt = 0; attempt < 2; attempt++) {
            refuseOnce();
            pair.nowNs += DELAY_NS + 10_000;
            pair.a.table.source().onDeadline(pair.nowNs);
        }
        pair.a.poll(10);
        assertThat(pair.a.completions).isEmpty();
        refuseOnce();
        pair.a.poll(10);
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.RNR_RETRY_EXC_ERR, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void aWriteWithImmediateIsRefusedAsAWhole() {
        pair.a.post(
                0,
                cell -> cell.opcode(WrOpcode.RDMA_WRITE_WITH_IMM)
                        .rkey(to.key())
                        .remoteAddress(to.base())
                        .addSge(from.key(), 0, 10));
        refuseOnce();
        assertThat(target.get(0)).isZero();
        pair.b.postReceive(0, cell -> {});
        pair.settle();
        assertThat(pair.b.statuses(100)).containsExactly(WcStatus.SUCCESS);
        assertPlaced(10);
    }

    @Test
    @Covers({"R-SEND-006", "R-ORD-009"})
    void aRefusalOfWhichNoWordArrivedIsAskedFor() {
        send(10);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        Side.Sent sent = pair.a.flight.get(0);
        pair.deliver(pair.a, sent);
        pair.b.refusals.clear();
        pair.news(pair.b);
        pair.nowNs++;
        pair.news(pair.b);
        pair.a.acked(pair.nowNs, sent);
        pair.nowNs = pair.a.table.source().deadlineNs();
        pair.a.table.source().onDeadline(pair.nowNs);
        assertThat(pair.a.questions).containsExactly(0);
        post(10);
        pair.bells();
        pair.answerQuestions(pair.b);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
        assertPlaced(10);
    }

    @Test
    @Covers("R-ORD-010")
    void aRefusalFromAnOlderReportOrOfAnotherAttemptChangesNothing() {
        send(10);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        StreamUpdate update =
                pair.describe(pair.b, 0).flags(StreamUpdate.REFUSED).code(0);
        pair.a.table.updateSink().onUpdate(pair.nowNs, update, Freshness.OLDER);
        pair.a.table.updateSink().onUpdate(pair.nowNs, update.code(3), Freshness.NEWEST);
        assertThat(pair.a.resend(pair.nowNs, pair.a.flight.get(0))).isTrue();
        assertThat(Pair.view(pair.a.flight.get(0)).message().isWithdrawn()).isFalse();
    }

    @Test
    void anAttemptThatAnOutdatedRefusalCausedIsConsumedAndDropped() {
        post(10);
        pair.settle();
        send(10);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        Side.Sent sent = pair.a.flight.get(0);
        pair.deliver(pair.a, sent);
        // The message is complete, but a refusal is believed first.
        StreamUpdate update = pair.describe(pair.b, 0)
                .flags(StreamUpdate.REFUSED | StreamUpdate.OPEN | StreamUpdate.LIMIT_VALID)
                .nextMsn(0)
                .code(0);
        pair.a.table.updateSink().onUpdate(pair.nowNs, update, Freshness.NEWEST);
        pair.a.acked(pair.nowNs, sent);
        assertThat(pair.a.send(pair.nowNs, 1)).isEqualTo(1);
        pair.deliver(pair.a, pair.a.flight.get(0));
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
        assertThat(pair.b.statuses(100)).containsExactly(WcStatus.SUCCESS);
        Pair.assertNoProtocolError(pair.b);
    }

    @Test
    void anImpossibleAttemptIsABreachOfTheProtocol() {
        send(10);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        ByteBuffer bytes = pair.a.flight.get(0).bytes;
        new MessageHeader().wrap(bytes, 0).attempt(2);
        pair.deliver(pair.a, pair.a.flight.get(0));
        assertThat(pair.b.protocolErrors).containsExactly(StreamError.PROTO);
    }

    private void refuseOnce() {
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(1);
        Side.Sent sent = pair.a.flight.get(0);
        pair.deliver(pair.a, sent);
        pair.a.acked(pair.nowNs, sent);
        pair.report(pair.b);
    }

    private void send(int size) {
        pair.a.post(0, cell -> cell.opcode(WrOpcode.SEND).addSge(from.key(), 0, size));
    }

    private void post(int size) {
        pair.b.postReceive(0, cell -> cell.addSge(to.key(), 0, size));
    }

    private void assertPlaced(int size) {
        for (int i = 0; i < size; i++) {
            assertThat(target.get(i)).isEqualTo(source.get(i));
        }
        assertThat(target.get(size)).isZero();
    }
}
