package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.connection.ConnectionPort;
import io.metaroce.connection.PacketSink.Urgency;
import io.metaroce.connection.UpdateSink.Freshness;
import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.param.StreamError;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.Counter;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.MessageHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.SendHeader;
import io.metaroce.wire.StreamUpdate;
import io.metaroce.wire.WriteHeader;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes wrong on a stream: who hears of it, in which words, and that nothing else is touched. */
class ErrorTest {
    private final Pair pair = new Pair(Side.Shape.PLAIN).open(0).open(1).start();
    private final ByteBuffer target = ByteBuffer.allocateDirect(8192);
    private final ByteBuffer source = ByteBuffer.allocateDirect(8192);
    private final MemoryRegion from = pair.a.memory(source);
    private final MemoryRegion to = pair.b.memory(target);

    ErrorTest() {
        for (int i = 0; i < 8192; i++) {
            source.put(i, (byte) (i % 127 + 1));
        }
        pair.settle();
    }

    @Test
    @Covers({"R-SEND-007", "R-ERR-001"})
    void aSendLongerThanItsReceiveEndsBothAndPlacesNothing() {
        pair.b.postReceive(0, cell -> cell.wrId(1).addSge(to.key(), 0, 1000));
        pair.b.postReceive(0, cell -> cell.wrId(2).addSge(to.key(), 4096, 1000));
        pair.settle();
        send(0, 1001);
        send(0, 10);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.REM_INV_REQ_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(pair.b.statuses(100)).containsExactly(WcStatus.LOC_LEN_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(pair.b.wrIds(100)).containsExactly(1L, 2L);
        assertUntouched(0, 4096);
        assertThat(pair.b.failedStreams).containsExactly(0);
        assertThat(pair.a.failedStreams).containsExactly(0);
    }

    @ParameterizedTest
    @CsvSource({"1,0,100", "0,-1,100", "0,8100,100", "0,9000,1", "0,9223372036854775807,100"})
    @Covers({"R-MEM-002", "R-MEM-003", "R-ERR-001"})
    void aWriteThatMayNotBePlacedPlacesNothing(int keyError, long at, int size) {
        write(0, to.base() + at, to.key() + keyError, size);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.REM_ACCESS_ERR);
        assertUntouched(0, 8192);
        assertThat(pair.b.counters.get(Counter.ACCESS_ERRORS)).isEqualTo(1);
        assertThat(pair.b.counters.get(Counter.STREAM_ERRORS)).isEqualTo(1);
    }

    @Test
    void aRegionThatLetsNobodyInLetsNobodyIn() {
        MemoryRegion closed = pair.b.regions.register(
                Side.DOMAIN, new ByteBuffer[] {ByteBuffer.allocateDirect(64)}, 0, Access.LOCAL_WRITE);
        MemoryRegion foreign = pair.b.regions.register(
                Side.DOMAIN + 1, new ByteBuffer[] {ByteBuffer.allocateDirect(64)}, 0, Access.ALL);
        write(0, 0, closed.key(), 10);
        write(1, 0, foreign.key(), 10);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.REM_ACCESS_ERR);
        assertThat(pair.a.statuses(1)).containsExactly(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void theReceiveOfAWriteThatMayNotBePlacedNamesTheCause() {
        pair.b.postReceive(0, cell -> cell.wrId(1));
        pair.b.postReceive(0, cell -> cell.wrId(2));
        pair.settle();
        pair.a.post(
                0, cell -> cell.opcode(WrOpcode.RDMA_WRITE_WITH_IMM).rkey(77).addSge(from.key(), 0, 10));
        pair.settle();
        assertThat(pair.b.statuses(100)).containsExactly(WcStatus.LOC_ACCESS_ERR, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void aReceiveWithAWrongEntryIsTheRespondersFault() {
        pair.b.postReceive(0, cell -> cell.addSge(to.key(), 0, 500).addSge(to.key(), 8000, 500));
        pair.settle();
        send(0, 1000);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.REM_OP_ERR);
        assertThat(pair.b.statuses(100)).containsExactly(WcStatus.LOC_PROT_ERR);
        assertUntouched(0, 8192);
    }

    @Test
    void aFaultShowsOnlyAfterWhatCameBeforeItInWhateverOrderItArrives() {
        write(0, to.base(), to.key(), 10);
        write(0, to.base() + 100, 0xBAD, 10);
        write(0, to.base() + 200, to.key(), 10);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        List<Side.Sent> flight = List.copyOf(pair.a.flight);
        assertThat(pair.deliver(pair.a, flight.get(1))).isEqualTo(Urgency.AT_ONCE);
        pair.report(pair.b);
        pair.a.poll(10);
        assertThat(pair.a.completions).isEmpty();
        pair.deliver(pair.a, flight.get(2));
        pair.deliver(pair.a, flight.get(0));
        pair.report(pair.b);
        pair.a.poll(10);
        assertThat(pair.a.statuses(0))
                .containsExactly(WcStatus.SUCCESS, WcStatus.REM_ACCESS_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(target.get(0)).isNotZero();
        assertUntouched(100, 300);
    }

    @Test
    void aWrongEntryOfTheOwnListIsFoundBeforeAnythingLeaves() {
        write(0, to.base(), to.key(), 10);
        pair.a.post(
                0,
                cell -> cell.opcode(WrOpcode.RDMA_WRITE)
                        .rkey(to.key())
                        .remoteAddress(to.base() + 100)
                        .addSge(from.key(), 0, 4000)
                        .addSge(from.key(), 8000, 4000));
        write(0, to.base() + 200, to.key(), 10);
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(1);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS, WcStatus.LOC_PROT_ERR, WcStatus.WR_FLUSH_ERR);
        assertUntouched(100, 300);
        assertThat(pair.b.failedStreams)
                .as("the peer hears that the stream is over")
                .containsExactly(0);
    }

    @Test
    void aRegionTakenAwayUnderARequestEndsTheStream() {
        write(0, to.base(), to.key(), 3000);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        pair.a.regions.deregister(from);
        assertThat(pair.a.send(pair.nowNs, 1)).isZero();
        pair.a.poll(10);
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.LOC_PROT_ERR);
        Side.Sent sent = pair.a.flight.get(0);
        assertThat(pair.a.resend(pair.nowNs, sent)).isTrue();
        assertThat(Pair.view(sent).message().isWithdrawn()).isTrue();
    }

    @Test
    void aRegionTakenAwayBeforeAResendEndsTheStreamToo() {
        write(0, to.base(), to.key(), 1000);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        pair.a.regions.deregister(from);
        Side.Sent sent = pair.a.flight.get(0);
        assertThat(pair.a.resend(pair.nowNs, sent)).isTrue();
        assertThat(Pair.view(sent).payloadLength()).isZero();
        pair.a.poll(10);
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.LOC_PROT_ERR);
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"LOCAL_INV", "BIND_MW"})
    void anOperationThatIsNotBuiltYetEndsTheStreamInItsTurn(WrOpcode opcode) {
        write(0, to.base(), to.key(), 10);
        pair.a.post(0, cell -> cell.opcode(opcode).addSge(from.key(), 0, 8));
        write(0, to.base(), to.key(), 10);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS, WcStatus.LOC_QP_OP_ERR, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    @Covers("R-CONN-008")
    void aMessageLongerThanThePeerAcceptsNeverLeaves() {
        pair.a.table.limitToPeer(8, 256, 999, Side.READS);
        write(0, to.base(), to.key(), 1000);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.LOC_LEN_ERR);
        write(1, to.base(), to.key(), 999);
        pair.settle();
        assertThat(pair.a.statuses(1)).containsExactly(WcStatus.SUCCESS);
    }

    @Test
    @Covers({"R-ERR-001", "R-MEM-006"})
    void afterAFailureEverythingIsFlushedInTheOrderOfPosting() {
        for (int i = 0; i < 5; i++) {
            int id = i;
            pair.a.postReceive(0, cell -> cell.wrId(50 + id));
            pair.a.post(
                    0,
                    cell -> cell.wrId(id)
                            .flags(0)
                            .opcode(WrOpcode.RDMA_WRITE)
                            .rkey(id == 2 ? 0xBAD : to.key())
                            .remoteAddress(to.base())
                            .addSge(from.key(), 0, 10));
        }
        pair.settle();
        assertThat(pair.a.wrIds(0)).containsExactly(2L, 3L, 4L);
        assertThat(pair.a.statuses(0))
                .containsExactly(WcStatus.REM_ACCESS_ERR, WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(pair.a.wrIds(100)).containsExactly(50L, 51L, 52L, 53L, 54L);
        assertThat(pair.a.statuses(100)).containsOnly(WcStatus.WR_FLUSH_ERR);
        // What is posted afterwards is flushed as well.
        write(0, to.base(), to.key(), 10);
        pair.a.postReceive(0, cell -> {});
        pair.settle();
        assertThat(pair.a.statuses(0)).hasSize(4).endsWith(WcStatus.WR_FLUSH_ERR);
        assertThat(pair.a.statuses(100)).hasSize(6);
        assertThat(pair.a.table.hasWork()).isFalse();
        assertThat(pair.a.table.queuedBytes()).isZero();
    }

    @Test
    @Covers({"R-ERR-002", "R-LOSS-012", "R-MEM-005", "R-ORD-003"})
    void anotherStreamGoesOnAndDeadSlotsAreOnlyFilled() {
        write(0, to.base(), 0xBAD, 10);
        write(0, to.base() + 100, to.key(), 10);
        write(1, to.base() + 200, to.key(), 10);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        List<Side.Sent> flight = List.copyOf(pair.a.flight);
        pair.deliver(pair.a, flight.get(0));
        pair.report(pair.b);
        Side.Sent lost = flight.get(1);
        assertThat(pair.a.resend(pair.nowNs, lost)).isTrue();
        assertThat(Pair.view(lost).message().isWithdrawn()).isTrue();
        assertThat(Pair.view(lost).write().remoteAddress()).isEqualTo(to.base() + 100);
        pair.deliver(pair.a, lost);
        assertUntouched(100, 110);
        pair.deliver(pair.a, flight.get(2));
        pair.settle();
        assertThat(pair.a.statuses(1)).containsExactly(WcStatus.SUCCESS);
        assertThat(target.get(200)).isNotZero();
        write(1, to.base() + 300, to.key(), 10);
        pair.settle();
        assertThat(pair.a.statuses(1)).containsExactly(WcStatus.SUCCESS, WcStatus.SUCCESS);
    }

    @Test
    @Covers("R-ERR-003")
    void aFailureStandsInEveryUpdate() {
        write(0, to.base(), 0xBAD, 10);
        pair.settle();
        for (int i = 0; i < 3; i++) {
            StreamUpdate update = pair.describe(pair.b, 0);
            assertThat(update.flags())
                    .isEqualTo(StreamUpdate.FAILED | StreamUpdate.QUIET | StreamUpdate.OPEN | StreamUpdate.LIMIT_VALID);
            assertThat(update.code()).isEqualTo(StreamError.REM_ACCESS.code());
            assertThat(update.nextMsn()).isZero();
        }
        assertThat(pair.describe(pair.a, 0).code()).isEqualTo(StreamError.ABORT.code());
    }

    @Test
    void whoUsesAStreamThatIsNotOpenIsToldSo() {
        pair.a.open(pair.nowNs, 5);
        pair.a.table.peerOpened(pair.nowNs, 5, 0); // a peer that believes in what nobody said
        write(5, to.base(), to.key(), 10);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        assertThat(pair.deliver(pair.a, pair.a.flight.get(0))).isEqualTo(Urgency.AT_ONCE);
        StreamUpdate told = pair.news(pair.b).get(0);
        assertThat(told.code()).isEqualTo(StreamError.NOT_OPEN.code());
        pair.nowNs++;
        pair.settle();
        assertThat(pair.a.statuses(5)).containsExactly(WcStatus.REM_INV_REQ_ERR);
        assertUntouched(0, 10);
    }

    @Test
    void strangersTakeABoundedAmountOfMemoryAndMind() {
        write(0, to.base(), to.key(), 0);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        ByteBuffer bytes = pair.a.flight.get(0).bytes;
        for (int id = 20; id < 2020; id++) {
            new MessageHeader().wrap(bytes, 0).streamId(id);
            pair.b.table.sink().accept(pair.nowNs, Side.view(bytes));
        }
        assertThat(pair.news(pair.b)).hasSizeLessThan(20).anyMatch(u -> u.streamId() == 2019);
    }

    @Test
    void anOrderedWriteIsInvalidWhereItIsNotOffered() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(Opcode.headerLength(Opcode.WRITE) + 4);
        new BaseHeader().wrap(bytes, 0).version(1).opcode(Opcode.WRITE);
        new MessageHeader()
                .wrap(bytes, 0)
                .streamId(1)
                .messageFlags(MessageHeader.ORDERED)
                .msn(0);
        pair.b.table.sink().accept(pair.nowNs, Side.view(bytes));
        assertThat(pair.describe(pair.b, 1).code()).isEqualTo(StreamError.INV_REQ.code());
    }

    @Test
    void aResponseNobodyAskedForIsConsumed() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(Opcode.headerLength(Opcode.READ_RESP) + 4);
        new BaseHeader().wrap(bytes, 0).version(1).opcode(Opcode.READ_RESP);
        assertThat(pair.b.table.sink().accept(pair.nowNs, Side.view(bytes))).isEqualTo(Urgency.ORDINARY);
        assertThat(pair.b.failedStreams).isEmpty();
    }

    @Test
    @Covers("R-HDR-015")
    void aFragmentThatReachesBeyondItsMessageFailsTheStream() {
        Side.Sent sent = oneWrite(10);
        new WriteHeader().wrap(sent.bytes, 0).messageLength(9);
        pair.deliver(pair.a, sent);
        assertThat(pair.describe(pair.b, 0).code()).isEqualTo(StreamError.INV_REQ.code());
        assertUntouched(0, 10);
    }

    @Test
    void aFragmentThatIsNotCutAsAgreedFailsTheStream() {
        Side.Sent sent = oneWrite(10);
        new WriteHeader().wrap(sent.bytes, 0).messageLength(11);
        pair.deliver(pair.a, sent);
        assertThat(pair.describe(pair.b, 0).code()).isEqualTo(StreamError.INV_REQ.code());
    }

    @Test
    void oneReceiveIsNeverGivenToTwoMessages() {
        pair.b.postReceive(0, cell -> cell.addSge(to.key(), 0, 100));
        pair.settle();
        send(0, 10);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        Side.Sent sent = pair.a.flight.get(0);
        new MessageHeader().wrap(sent.bytes, 0).msn(1);
        pair.b.table.sink().accept(pair.nowNs, Side.view(sent.bytes));
        new MessageHeader().wrap(sent.bytes, 0).msn(0);
        pair.b.table.sink().accept(pair.nowNs, Side.view(sent.bytes));
        pair.b.poll(10);
        assertThat(pair.b.statuses(100)).containsExactly(WcStatus.WR_FLUSH_ERR);
        assertThat(pair.describe(pair.b, 0).code()).isEqualTo(StreamError.INV_REQ.code());
    }

    @Test
    void receivesAreUsedInTheOrderOfMessages() {
        pair.b.postReceive(0, cell -> cell.addSge(to.key(), 0, 100));
        pair.b.postReceive(0, cell -> cell.addSge(to.key(), 100, 100));
        pair.settle();
        send(0, 10);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        Side.Sent sent = pair.a.flight.get(0);
        new SendHeader().wrap(sent.bytes, 0).rsn(1);
        pair.deliver(pair.a, sent);
        pair.b.poll(10);
        assertThat(pair.b.statuses(100)).containsExactly(WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void moreMessagesThanAllowedFailTheStream() {
        Side.Sent sent = oneWrite(0);
        new MessageHeader().wrap(sent.bytes, 0).msn(255);
        pair.b.table.sink().accept(pair.nowNs, Side.view(sent.bytes));
        assertThat(pair.describe(pair.b, 0).flags() & StreamUpdate.FAILED).isZero();
        new MessageHeader().wrap(sent.bytes, 0).msn(256);
        pair.b.table.sink().accept(pair.nowNs, Side.view(sent.bytes));
        assertThat(pair.describe(pair.b, 0).code()).isEqualTo(StreamError.INV_REQ.code());
    }

    @Test
    void aWithdrawnPacketOfALiveMessageSaysThatItsSenderGaveUp() {
        pair.b.postReceive(0, cell -> {});
        pair.settle();
        Side.Sent sent = oneWrite(10);
        new MessageHeader().wrap(sent.bytes, 0).messageFlags(MessageHeader.WITHDRAWN);
        pair.deliver(pair.a, sent);
        pair.b.poll(10);
        assertThat(pair.describe(pair.b, 0).code()).isEqualTo(StreamError.ABORT.code());
        assertThat(pair.b.statuses(100)).containsExactly(WcStatus.WR_FLUSH_ERR);
        assertUntouched(0, 10);
    }

    @Test
    void aPeerWhoseRequesterHasStoppedNeedsNoReceives() {
        pair.b.postReceive(0, cell -> {});
        pair.settle();
        StreamUpdate update = pair.describe(pair.a, 0);
        pair.b
                .table
                .updateSink()
                .onUpdate(pair.nowNs, update.flags(update.flags() | StreamUpdate.QUIET), Freshness.OLDER);
        pair.b.postReceive(0, cell -> {});
        pair.bells();
        pair.b.poll(10);
        assertThat(pair.b.statuses(100)).containsExactly(WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR);
        pair.b.post(0, cell -> cell.opcode(WrOpcode.RDMA_WRITE));
        pair.settle();
        assertThat(pair.b.statuses(0)).as("its responder still serves").containsExactly(WcStatus.SUCCESS);
    }

    @Test
    @Covers("R-ACK-007")
    void whoReportsWhatWasNeverSentBreaksTheProtocol() {
        write(0, to.base(), to.key(), 3000);
        pair.bells();
        pair.a.send(pair.nowNs, 2);
        StreamUpdate update = pair.describe(pair.b, 0);
        pair.a.table.updateSink().onUpdate(pair.nowNs, update.nextMsn(1), Freshness.NEWEST);
        pair.a.table.updateSink().onUpdate(pair.nowNs, update.nextMsn(2), Freshness.NEWEST);
        assertThat(pair.a.protocolErrors).containsExactly(StreamError.PROTO, StreamError.PROTO);
        pair.a.poll(10);
        assertThat(pair.a.completions).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "REM_ACCESS,REM_ACCESS_ERR",
        "INV_REQ,REM_INV_REQ_ERR",
        "OP_ERR,REM_OP_ERR",
        "ABORT,REM_ABORT_ERR",
        "NOT_OPEN,REM_INV_REQ_ERR"
    })
    @Covers("R-ERR-001")
    void everyErrorHasItsStatus(StreamError error, WcStatus status) {
        oneWrite(10);
        write(0, to.base(), to.key(), 10);
        StreamUpdate update =
                pair.describe(pair.b, 0).flags(StreamUpdate.FAILED).code(error.code());
        pair.a.table.updateSink().onUpdate(pair.nowNs, update, Freshness.OLDER);
        pair.a.poll(10);
        assertThat(pair.a.statuses(0)).containsExactly(status, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void aRefusalWithAnErrorIsTheFastCopyOfAFailure() {
        oneWrite(10);
        pair.a
                .table
                .updateSink()
                .onNak(
                        pair.nowNs,
                        Pair.nak(new ConnectionPort.Refusal(StreamError.REM_ACCESS, 0, 0, 0, 0, 0, 0, 0)),
                        Freshness.OLDER);
        pair.a.poll(10);
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    @Covers({"R-CONN-006", "R-MEM-006", "R-MEM-007"})
    void theEndOfTheConnectionFlushesEverythingAndTouchesNothingMore() {
        pair.a.postReceive(0, cell -> {});
        Side.Sent sent = oneWrite(10);
        write(0, to.base(), to.key(), 10);
        write(1, to.base(), to.key(), 10);
        pair.bells();
        pair.a.table.abort(pair.nowNs, WcStatus.RETRY_EXC_ERR);
        pair.b.table.abort(pair.nowNs, WcStatus.WR_FLUSH_ERR);
        pair.a.poll(10);
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.RETRY_EXC_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(pair.a.statuses(1)).containsExactly(WcStatus.RETRY_EXC_ERR);
        assertThat(pair.a.statuses(100)).containsExactly(WcStatus.WR_FLUSH_ERR);
        assertThat(pair.a.send(pair.nowNs, 10)).isZero();
        pair.deliver(pair.a, sent);
        assertUntouched(0, 10);
        write(0, to.base(), to.key(), 10);
        pair.a.open(pair.nowNs, 2);
        write(2, to.base(), to.key(), 10);
        pair.bells();
        pair.a.poll(10);
        assertThat(pair.a.statuses(0)).hasSize(3);
        assertThat(pair.a.statuses(2)).containsExactly(WcStatus.WR_FLUSH_ERR);
        assertThat(pair.a.table.hasWork()).isFalse();
    }

    @Test
    @Covers({"R-CONN-006", "R-CONN-009"})
    void aGracefulEndLetsAcceptedWorkFinishAndFlushesWhatComesLater() {
        write(0, to.base(), to.key(), 10);
        send(0, 10); // posted, but not seen by the engine yet
        pair.a.table.stopAccepting(pair.nowNs);
        write(0, to.base(), to.key(), 10);
        pair.a.postReceive(1, cell -> {});
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
        assertThat(pair.a.table.hasWork()).isTrue();
        pair.b.postReceive(0, cell -> cell.addSge(to.key(), 100, 10));
        pair.b.post(1, cell -> cell.opcode(WrOpcode.SEND));
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS, WcStatus.SUCCESS, WcStatus.WR_FLUSH_ERR);
        assertThat(pair.a.table.hasWork()).isFalse();
        assertThat(pair.a.statuses(101)).as("receives go on").containsExactly(WcStatus.SUCCESS);
        write(1, to.base(), to.key(), 10);
        pair.settle();
        assertThat(pair.a.statuses(1)).containsExactly(WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void aGracefulEndKeepsWorkThatWaitsForRoomInItsCompletionQueue() {
        Pair tight =
                new Pair(Side.Shape.PLAIN.cqDepth(2), Side.Shape.PLAIN).open(0).start();
        for (int i = 0; i < 4; i++) {
            tight.a.post(0, cell -> cell.opcode(WrOpcode.RDMA_WRITE));
        }
        tight.bells();
        tight.a.table.stopAccepting(tight.nowNs);
        assertThat(tight.a.table.hasWork()).isTrue();
        tight.settle();
        assertThat(tight.a.statuses(0)).hasSize(4).containsOnly(WcStatus.SUCCESS);
        tight.a.post(0, cell -> cell.opcode(WrOpcode.RDMA_WRITE));
        tight.settle();
        assertThat(tight.a.statuses(0)).hasSize(5).endsWith(WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void aStreamGivenUpIsOverOnBothSides() {
        pair.b.postReceive(0, cell -> {});
        write(0, to.base(), to.key(), 10);
        pair.b.post(0, cell -> cell.opcode(WrOpcode.SEND));
        pair.bells();
        pair.a.table.closeStream(pair.nowNs, 0);
        assertThat(pair.a.isReportWanted).isTrue();
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.WR_FLUSH_ERR);
        assertThat(pair.b.statuses(0)).containsExactly(WcStatus.REM_ABORT_ERR);
        assertThat(pair.b.statuses(100)).containsExactly(WcStatus.WR_FLUSH_ERR);
        assertThat(pair.a.failedStreams).isEmpty();
        pair.a.table.closeStream(pair.nowNs, 0);
        pair.a.table.closeStream(pair.nowNs, 6);
    }

    private Side.Sent oneWrite(int size) {
        write(0, to.base(), to.key(), size);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        return pair.a.flight.isEmpty() ? new Side.Sent(0, target) : pair.a.flight.get(pair.a.flight.size() - 1);
    }

    /** The swarm found it: what a failed stream gave back woke nobody. */
    @Test
    @Covers({"R-ORD-003", "R-ERR-002"})
    void aStreamThatWaitsForOpenMessagesOfAFailedOneGoesOn() {
        Pair narrow = new Pair(Side.Shape.PLAIN, Side.Shape.PLAIN.openMessages(2))
                .open(0)
                .open(1)
                .start();
        MemoryRegion key = narrow.b.memory(target);
        MemoryRegion local = narrow.a.memory(source);
        narrow.settle();
        for (int stream = 0; stream < 2; stream++) {
            int rkey = stream == 0 ? key.key() + 1 : key.key();
            narrow.a.post(
                    stream,
                    cell -> cell.opcode(WrOpcode.RDMA_WRITE)
                            .rkey(rkey)
                            .remoteAddress(key.base())
                            .addSge(local.key(), 0, 10));
        }
        narrow.settle();
        assertThat(narrow.a.statuses(0)).containsExactly(WcStatus.REM_ACCESS_ERR);
        assertThat(narrow.a.statuses(1)).containsExactly(WcStatus.SUCCESS);
    }

    private void write(int stream, long address, int key, int size) {
        pair.a.post(
                stream,
                cell -> cell.opcode(WrOpcode.RDMA_WRITE)
                        .rkey(key)
                        .remoteAddress(address)
                        .addSge(from.key(), 0, size));
    }

    private void send(int stream, int size) {
        pair.a.post(stream, cell -> cell.opcode(WrOpcode.SEND).addSge(from.key(), 0, size));
    }

    private void assertUntouched(int start, int end) {
        for (int i = start; i < end; i++) {
            assertThat(target.get(i)).isZero();
        }
    }
}
