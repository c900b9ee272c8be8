package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.memory.RegionTable;
import io.metaroce.memory.SparseMemory;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.WcFlag;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.Counter;
import io.metaroce.wire.AtomicRequestHeader;
import io.metaroce.wire.AtomicResponseHeader;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.MessageHeader;
import io.metaroce.wire.NakCode;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.ReadRequestHeader;
import io.metaroce.wire.ReadResponseHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads and atomics: what is fetched, in which order, and what happens when it cannot be. */
class FetchTest {
    private static final int ROOM = 1 << 17;

    private final Pair pair = new Pair(Side.Shape.PLAIN).open(0).open(1).start();
    private final ByteBuffer near = ByteBuffer.allocateDirect(ROOM).order(ByteOrder.nativeOrder());
    private final ByteBuffer far = ByteBuffer.allocateDirect(ROOM).order(ByteOrder.nativeOrder());
    private final MemoryRegion here = pair.a.memory(near);
    private final MemoryRegion there = pair.b.memory(far);

    FetchTest() {
        byte[] noise = new byte[ROOM];
        new Random(1).nextBytes(noise);
        far.put(0, noise);
        pair.settle();
    }

    // ---------------------------------------------------------------- Reads

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 2049, 65536})
    @Covers({"R-READ-002", "R-ORD-006"})
    void aReadOfAnySizeBringsWhatIsThere(int size) {
        read(9, 0, 3, 5, size);
        pair.settle();
        assertThat(pair.a.completions)
                .containsExactly(new Side.Wc(0, 9, WcStatus.SUCCESS, WcOpcode.RDMA_READ, size, 0, 0));
        assertThat(pair.b.completions).isEmpty();
        assertFetched(3, 5, size);
        assertThat(pair.a.table.hasWork()).isFalse();
        assertThat(pair.a.readBytesOutstanding).isZero();
        assertThat(pair.b.table.queuedBytes()).isZero();
    }

    @Test
    @Covers({"R-READ-002", "R-ORD-006"})
    void responsesArePlacedInAnyOrderAndOnlyAllOfThemCompleteTheRead() {
        read(9, 0, 0, 0, 5000);
        answerIsUnderWay();
        assertThat(pair.b.flight).hasSize(5);
        List<Side.Sent> order = new ArrayList<>(pair.b.flight);
        Collections.reverse(order);
        for (Side.Sent sent : order) {
            pair.a.poll(10);
            assertThat(pair.a.completions).isEmpty();
            pair.deliver(pair.b, sent);
        }
        pair.a.poll(10);
        assertThat(pair.a.statuses(0))
                .as("complete at the peer is not known yet")
                .isEmpty();
        pair.reports();
        pair.a.poll(10);
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
        assertFetched(0, 0, 5000);
    }

    @Test
    @Covers({"R-READ-001", "R-ORD-004"})
    void aReadIsExecutedInItsTurn() {
        near.putLong(0, 77);
        write(1, 0, 0, 8);
        read(2, 0, 100, 0, 8);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        pair.deliver(pair.a, pair.a.flight.get(1));
        assertThat(pair.b.send(pair.nowNs, 10))
                .as("the Write before it is missing")
                .isZero();
        pair.deliver(pair.a, pair.a.flight.get(0));
        pair.settle();
        assertThat(near.getLong(100)).isEqualTo(77);
        assertThat(pair.a.wrIds(0)).containsExactly(1L, 2L);
    }

    @Test
    @Covers("R-ORD-006")
    void whatComesAfterAReadCompletesAfterIt() {
        read(1, 0, 0, 0, 3000);
        write(2, 0, 5000, 10);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        for (Side.Sent sent : pair.a.flight) {
            pair.deliver(pair.a, sent);
        }
        pair.reports();
        pair.a.poll(10);
        assertThat(pair.a.completions).isEmpty();
        pair.settle();
        assertThat(pair.a.wrIds(0)).containsExactly(1L, 2L);
    }

    @Test
    @Covers("R-READ-003")
    void responsesNeedNoCreditAndDoNotWaitBehindRequests() {
        pair.b.post(0, cell -> cell.opcode(WrOpcode.SEND)); // nothing is posted for it
        read(9, 0, 0, 0, 3000);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
        assertThat(pair.b.table.hasWork()).isTrue();
    }

    @Test
    @Covers("R-READ-003")
    void requestsAndResponsesTakeTurns() {
        MemoryRegion back = pair.b.memory(ByteBuffer.allocateDirect(ROOM));
        pair.b.post(
                1,
                cell -> cell.opcode(WrOpcode.RDMA_WRITE)
                        .remoteAddress(here.base())
                        .rkey(here.key())
                        .addSge(back.key(), 0, 20_000));
        read(9, 0, 40_000, 0, 20_000);
        answerIsUnderWay(); // the Write has begun meanwhile
        List<Integer> opcodes = new ArrayList<>();
        for (Side.Sent sent : pair.b.flight.subList(0, 20)) {
            opcodes.add(Pair.view(sent).opcode());
        }
        assertThat(opcodes.stream().filter(o -> o == Opcode.READ_RESP).count()).isBetween(9L, 11L);
    }

    @Test
    @Covers("R-READ-004")
    void noMoreRequestsLeaveThanThePeerServes() {
        for (int i = 0; i < Side.READS + 3; i++) {
            read(i, i % 2, 8 * i, 8 * i, 8);
        }
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 100)).isEqualTo(Side.READS);
        pair.settle();
        assertThat(pair.a.completions).hasSize(Side.READS + 3).allMatch(wc -> wc.status() == WcStatus.SUCCESS);
        assertFetched(0, 0, 8 * (Side.READS + 3));
    }

    @Test
    @Covers("R-READ-004")
    void moreRequestsThanAreServedAreInvalid() {
        Pair greedy = new Pair(Side.Shape.PLAIN).open(0).start();
        MemoryRegion target = greedy.b.memory(256);
        for (int i = 0; i <= Side.READS; i++) {
            ByteBuffer packet = request(Opcode.READ_REQ, i);
            new ReadRequestHeader()
                    .wrap(packet, 0)
                    .rkey(target.key())
                    .length(1)
                    .remoteAddress(target.base())
                    .rdTag(i);
            greedy.b.table.sink().accept(greedy.nowNs, Side.view(packet));
        }
        assertThat(greedy.describe(greedy.b, 0).code()).isEqualTo(NakCode.INV_REQ);
    }

    @Test
    @Covers("R-HINT-008")
    void aReadCarriesTheHintOfTheMomentAlsoWhenItIsSentAgain() {
        pair.a.lastReport = 0x1_2345;
        read(9, 0, 0, 0, 100);
        pair.bells();
        assertThat(pair.a.readBytesOutstanding)
                .as("known before the request leaves")
                .isEqualTo(100);
        pair.a.send(pair.nowNs, 1);
        Side.Sent sent = pair.a.flight.get(0);
        assertThat(Pair.view(sent).readRequest().rateHint()).isEqualTo(Side.HINT);
        assertThat(Pair.view(sent).readRequest().hintSeq()).isEqualTo(0x2345);
        int tag = Pair.view(sent).readRequest().rdTag();
        pair.a.hint = 0x1CE2;
        pair.a.lastReport++;
        assertThat(pair.a.resend(pair.nowNs, sent)).isTrue();
        assertThat(Pair.view(sent).readRequest().rateHint()).isEqualTo(0x1CE2);
        assertThat(Pair.view(sent).readRequest().hintSeq()).isEqualTo(0x2346);
        assertThat(Pair.view(sent).readRequest().rdTag()).isEqualTo(tag);
    }

    @Test
    void whatMayNotBeReadFailsTheStream() {
        MemoryRegion shut =
                pair.b.regions.register(Side.DOMAIN, new ByteBuffer[] {ByteBuffer.allocateDirect(64)}, 0, 0);
        pair.a.post(
                0,
                cell -> cell.wrId(9).opcode(WrOpcode.RDMA_READ).rkey(shut.key()).addSge(here.key(), 0, 8));
        read(10, 0, 0, 0, 8);
        read(11, 1, 0, 0, 8);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.REM_ACCESS_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(pair.a.statuses(1)).containsExactly(WcStatus.SUCCESS);
        assertThat(pair.a.readBytesOutstanding).isZero();
    }

    @Test
    void aReadBeforeAFaultyMessageRunsToItsEnd() {
        read(1, 0, 0, 0, 3000);
        pair.a.post(
                0, cell -> cell.wrId(2).opcode(WrOpcode.RDMA_WRITE).rkey(0xBAD).addSge(here.key(), 0, 8));
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        for (Side.Sent sent : pair.a.flight) {
            pair.deliver(pair.a, sent);
        }
        pair.reports();
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS, WcStatus.REM_ACCESS_ERR);
        assertFetched(0, 0, 3000);
    }

    @Test
    @Covers("R-READ-005")
    void aReadWhoseRegionGoesAwayEndsWithAStatus() {
        read(9, 0, 0, 0, 5000);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        pair.deliver(pair.a, pair.a.flight.get(0));
        assertThat(pair.b.send(pair.nowNs, 2)).isEqualTo(2);
        pair.b.regions.deregister(there);
        assertThat(pair.b.resend(pair.nowNs, pair.b.flight.get(0))).isTrue();
        assertThat(Pair.view(pair.b.flight.get(0)).readResponse().status()).isEqualTo(NakCode.REM_ACCESS);
        assertThat(Pair.view(pair.b.flight.get(0)).payloadLength()).isZero();
        assertThat(pair.b.send(pair.nowNs, 10)).as("one status for the rest").isEqualTo(1);
        assertThat(Pair.view(pair.b.flight.get(2)).statusResponse().code()).isEqualTo(NakCode.REM_ACCESS);
        assertThat(pair.b.table.queuedBytes()).isZero();
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    @Covers({"R-READ-005", "R-LOSS-012"})
    void aReadOnAStreamThatIsGivenUpEndsWithAStatus() {
        read(9, 0, 0, 0, 5000);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        pair.deliver(pair.a, pair.a.flight.get(0));
        pair.b.send(pair.nowNs, 1);
        pair.b.table.closeStream(pair.nowNs, 0);
        Side.Sent first = pair.b.flight.get(0);
        assertThat(pair.b.resend(pair.nowNs, first)).isTrue();
        assertThat(Pair.view(first).readResponse().status()).isEqualTo(NakCode.ABORT);
        assertThat(Pair.view(first).payloadLength()).isZero();
        assertThat(pair.b.send(pair.nowNs, 10)).isEqualTo(1);
        pair.deliver(pair.b, pair.b.flight.get(1));
        pair.reports();
        pair.a.poll(10);
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.REM_ABORT_ERR);
    }

    @Test
    @Covers("R-READ-006")
    void patienceEndsOnlyWhenNothingComes() {
        read(9, 0, 0, 0, 5000);
        answerIsUnderWay();
        pair.reports();
        for (int i = 0; i < 4; i++) {
            pair.nowNs += Side.RESPONSE_NS - 1;
            pair.a.table.source().onDeadline(pair.nowNs);
            pair.deliver(pair.b, pair.b.flight.get(i));
        }
        pair.a.poll(10);
        assertThat(pair.a.completions).isEmpty();
        pair.nowNs += Side.RESPONSE_NS;
        assertThat(pair.a.table.source().deadlineNs()).isLessThanOrEqualTo(pair.nowNs);
        pair.a.table.source().onDeadline(pair.nowNs);
        pair.a.poll(10);
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.RESP_TIMEOUT_ERR);
    }

    @Test
    @Covers("R-READ-007")
    void aResponseThatDoesNotFitPlacesNothing() {
        List<Consumer<ReadResponseHeader>> wrongs =
                List.of(h -> h.totLen(4999), h -> h.offset(h.offset() + 1), h -> h.offset(5120), h -> h.offset(-1024));
        int id = 0;
        for (Consumer<ReadResponseHeader> wrong : wrongs) {
            Pair fresh = new Pair(Side.Shape.PLAIN).open(0).start();
            ByteBuffer into = ByteBuffer.allocateDirect(8192);
            MemoryRegion local = fresh.a.memory(into);
            ByteBuffer data = ByteBuffer.allocateDirect(8192);
            data.put(0, new byte[] {1, 2, 3, 4});
            MemoryRegion remote = fresh.b.memory(data);
            fresh.a.post(
                    0,
                    cell -> cell.opcode(WrOpcode.RDMA_READ)
                            .rkey(remote.key())
                            .remoteAddress(remote.base())
                            .addSge(local.key(), 0, 5000));
            fresh.bells();
            fresh.a.send(fresh.nowNs, 1);
            fresh.deliver(fresh.a, fresh.a.flight.get(0));
            fresh.b.send(fresh.nowNs, 10);
            wrong.accept(new ReadResponseHeader().wrap(fresh.b.flight.get(0).bytes, 0));
            fresh.deliver(fresh.b, fresh.b.flight.get(0));
            fresh.reports();
            fresh.a.poll(10);
            assertThat(fresh.a.statuses(0)).as("wrong " + id++).containsExactly(WcStatus.BAD_RESP_ERR);
            for (int i = 0; i < 8192; i++) {
                assertThat(into.get(i)).isZero();
            }
        }
    }

    @Test
    void aResponseNobodyWaitsForIsConsumedAndCounted() {
        ByteBuffer packet = request(Opcode.ATOMIC_RESP, 0);
        new AtomicResponseHeader().wrap(packet, 0).atTag(99).status(0).original(1);
        pair.a.table.sink().accept(pair.nowNs, Side.view(packet));
        assertThat(pair.a.counters.get(Counter.UNKNOWN_RESPONSES)).isEqualTo(1);
        Pair.assertNoProtocolError(pair.a);
    }

    @Test
    void aReadIntoMemoryThatMayNotBeWrittenFailsHere() {
        MemoryRegion shut =
                pair.a.regions.register(Side.DOMAIN, new ByteBuffer[] {ByteBuffer.allocateDirect(64)}, 0, 0);
        pair.a.post(
                0,
                cell -> cell.opcode(WrOpcode.RDMA_READ)
                        .rkey(there.key())
                        .remoteAddress(there.base())
                        .addSge(shut.key(), 0, 8));
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.LOC_PROT_ERR);
    }

    @Test
    @Covers("R-ORD-005")
    void aFencedRequestWaitsForEverythingFetchedBefore() {
        read(1, 0, 0, 0, 3000);
        pair.a.post(
                0,
                cell -> cell.wrId(2)
                        .opcode(WrOpcode.RDMA_WRITE)
                        .flags(SendFlags.SIGNALED | SendFlags.FENCE)
                        .rkey(there.key())
                        .remoteAddress(there.base())
                        .addSge(here.key(), 0, 8));
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 10)).as("the Read alone").isEqualTo(1);
        pair.deliver(pair.a, pair.a.flight.get(0));
        pair.reports();
        pair.b.send(pair.nowNs, 10);
        for (Side.Sent sent : List.copyOf(pair.b.flight)) {
            assertThat(pair.a.send(pair.nowNs, 10)).isZero();
            pair.deliver(pair.b, sent);
        }
        assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(1);
        pair.settle();
        assertThat(pair.a.wrIds(0)).containsExactly(1L, 2L);
    }

    // ---------------------------------------------------------------- atomics

    @Test
    @Covers("R-ATOM-001")
    void atomicsWorkOnEightBytesOfThePeerAndBringWhatWasThere() {
        far.putLong(64, 5);
        atomic(1, WrOpcode.ATOMIC_FETCH_AND_ADD, 64, 10, 0, 0);
        atomic(2, WrOpcode.ATOMIC_CMP_AND_SWP, 64, 15, 100, 8);
        atomic(3, WrOpcode.ATOMIC_CMP_AND_SWP, 64, 15, 200, 16);
        atomic(4, WrOpcode.ATOMIC_SWP, 64, 0, -1, 24);
        pair.settle();
        assertThat(pair.a.statuses(0)).hasSize(4).allMatch(status -> status == WcStatus.SUCCESS);
        assertThat(pair.a.completions.stream().map(Side.Wc::opcode))
                .containsExactly(WcOpcode.FETCH_ADD, WcOpcode.COMP_SWAP, WcOpcode.COMP_SWAP, WcOpcode.COMP_SWAP);
        assertThat(pair.a.completions).allMatch(wc -> wc.length() == 8);
        assertThat(List.of(near.getLong(0), near.getLong(8), near.getLong(16), near.getLong(24)))
                .containsExactly(5L, 15L, 100L, 100L);
        assertThat(far.getLong(64)).isEqualTo(-1);
    }

    @Test
    @Covers("R-ATOM-002")
    void aResponseSentAgainCarriesWhatTheFirstExecutionFound() {
        far.putLong(64, 5);
        atomic(1, WrOpcode.ATOMIC_FETCH_AND_ADD, 64, 1, 0, 0);
        answerIsUnderWay();
        far.putLong(64, 1000);
        assertThat(pair.b.resend(pair.nowNs, pair.b.flight.get(0))).isTrue();
        assertThat(Pair.view(pair.b.flight.get(0)).atomicResponse().original()).isEqualTo(5);
        assertThat(far.getLong(64)).isEqualTo(1000);
    }

    @Test
    @Covers("R-ATOM-003")
    void whatIsMisalignedOrUnknownChangesNothing() {
        List<Consumer<AtomicRequestHeader>> wrongs = List.of(
                h -> h.remoteAddress(h.remoteAddress() + 4),
                h -> h.size(4),
                h -> h.op(3),
                h -> h.rkey(h.rkey() + 1),
                h -> h.remoteAddress(h.remoteAddress() + ROOM));
        List<Integer> codes =
                List.of(NakCode.REM_ACCESS, NakCode.INV_REQ, NakCode.INV_REQ, NakCode.REM_ACCESS, NakCode.REM_ACCESS);
        for (int i = 0; i < wrongs.size(); i++) {
            Pair fresh = new Pair(Side.Shape.PLAIN).open(0).start();
            ByteBuffer data = ByteBuffer.allocateDirect(ROOM);
            MemoryRegion remote = fresh.b.memory(data);
            ByteBuffer packet = request(Opcode.ATOMIC_REQ, 0);
            AtomicRequestHeader atomic = new AtomicRequestHeader()
                    .wrap(packet, 0)
                    .rkey(remote.key())
                    .remoteAddress(remote.base())
                    .op(AtomicRequestHeader.SWAP)
                    .size(8)
                    .operandA(-1);
            wrongs.get(i).accept(atomic);
            fresh.b.table.sink().accept(fresh.nowNs, Side.view(packet));
            assertThat(fresh.describe(fresh.b, 0).code()).as("wrong " + i).isEqualTo(codes.get(i));
            assertThat(fresh.b.send(fresh.nowNs, 1)).isZero();
            assertThat(data.getLong(0)).isZero();
            assertThat(data.getLong(8)).isZero();
        }
    }

    @Test
    void anAtomicNeedsEightBytesHere() {
        pair.a.post(
                0,
                cell -> cell.opcode(WrOpcode.ATOMIC_SWP)
                        .rkey(there.key())
                        .remoteAddress(there.base())
                        .addSge(here.key(), 0, 4));
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.LOC_LEN_ERR);
    }

    // ---------------------------------------------------------------- far away

    @Test
    void regionsAboveTwoGibibytesAreReachedAtTheEndOfTheAddressSpace(@TempDir Path folder) throws IOException {
        long length = 2L * RegionTable.CHUNK_BYTES + 8192;
        ByteBuffer[] chunks = SparseMemory.chunks(folder, length);
        MemoryRegion big = pair.b.regions.register(Side.DOMAIN, chunks, -length, Access.ALL);
        MemoryRegion bigHere = pair.a.regions.register(Side.DOMAIN, chunks, 0, Access.ALL);
        for (int i = 0; i < 2500; i++) {
            chunks[1].put(RegionTable.CHUNK_BYTES - 2500 + i, (byte) i);
            chunks[2].put(i, (byte) (3 * i));
        }
        long seam = 2L * RegionTable.CHUNK_BYTES;
        pair.a.post(
                0,
                cell -> cell.wrId(1)
                        .opcode(WrOpcode.RDMA_READ)
                        .rkey(big.key())
                        .remoteAddress(big.base() + seam - 2500)
                        .addSge(here.key(), 0, 5000));
        pair.a.post(
                0,
                cell -> cell.wrId(2)
                        .opcode(WrOpcode.ATOMIC_FETCH_AND_ADD)
                        .rkey(big.key())
                        .remoteAddress(-8)
                        .compareAdd(41)
                        .addSge(bigHere.key(), seam + 4096, 8));
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS, WcStatus.SUCCESS);
        for (int i = 0; i < 2500; i++) {
            assertThat(near.get(i)).isEqualTo((byte) i);
            assertThat(near.get(2500 + i)).isEqualTo((byte) (3 * i));
        }
        assertThat(chunks[2].order(ByteOrder.nativeOrder()).getLong(8184)).isEqualTo(41);
    }

    // ---------------------------------------------------------------- Send with invalidate

    @Test
    void aSendWithInvalidateTakesTheKeyAwayWhenItCompletes() {
        MemoryRegion lent = pair.b.memory(64);
        pair.b.postReceive(0, cell -> cell.wrId(70).addSge(there.key(), 0, 64));
        pair.a.post(
                0,
                cell -> cell.opcode(WrOpcode.SEND_WITH_INV)
                        .invalidateRkey(lent.key())
                        .addSge(here.key(), 0, 8));
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
        assertThat(pair.b.completionsOf(100))
                .containsExactly(new Side.Wc(100, 70, WcStatus.SUCCESS, WcOpcode.RECV, 8, lent.key(), WcFlag.WITH_INV));
        assertThat(lent.isValid()).isFalse();
    }

    @Test
    void aKeyOfAnotherDomainIsNotTakenAway() {
        MemoryRegion foreign = pair.b.regions.register(
                Side.DOMAIN + 1, new ByteBuffer[] {ByteBuffer.allocateDirect(64)}, 0, Access.ALL);
        pair.b.postReceive(0, cell -> cell.wrId(70).addSge(there.key(), 0, 64));
        pair.a.post(0, cell -> cell.opcode(WrOpcode.SEND_WITH_INV).invalidateRkey(foreign.key()));
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.REM_ACCESS_ERR);
        assertThat(pair.b.statuses(100)).containsExactly(WcStatus.LOC_ACCESS_ERR);
        assertThat(foreign.isValid()).isTrue();
    }

    // ---------------------------------------------------------------- tools

    private void answerIsUnderWay() {
        pair.bells();
        pair.a.send(pair.nowNs, 100);
        for (Side.Sent sent : List.copyOf(pair.a.flight)) {
            pair.deliver(pair.a, sent);
        }
        pair.b.send(pair.nowNs, 1000);
    }

    private void read(long id, int stream, int toOffset, int fromOffset, int size) {
        pair.a.post(stream, cell -> fill(cell, WrOpcode.RDMA_READ, id, toOffset, fromOffset, size));
    }

    private void write(long id, int fromOffset, int toOffset, int size) {
        pair.a.post(0, cell -> fill(cell, WrOpcode.RDMA_WRITE, id, fromOffset, toOffset, size));
    }

    private void fill(SendCell cell, WrOpcode opcode, long id, int local, int remote, int size) {
        cell.wrId(id)
                .opcode(opcode)
                .rkey(there.key())
                .remoteAddress(there.base() + remote)
                .addSge(here.key(), local, size / 3)
                .addSge(here.key(), local + size / 3, size - size / 3);
    }

    private void atomic(long id, WrOpcode opcode, int remote, long compareAdd, long swap, int local) {
        pair.a.post(
                0,
                cell -> cell.wrId(id)
                        .opcode(opcode)
                        .rkey(there.key())
                        .remoteAddress(there.base() + remote)
                        .compareAdd(compareAdd)
                        .swap(swap)
                        .addSge(here.key(), local, 8));
    }

    private static ByteBuffer request(int opcode, int msn) {
        ByteBuffer packet = ByteBuffer.allocateDirect(Opcode.headerLength(opcode) + 4);
        new BaseHeader().wrap(packet, 0).version(1).opcode(opcode);
        if (opcode < Opcode.READ_RESP) {
            new MessageHeader().wrap(packet, 0).streamId(0).msn(msn);
        }
        return packet;
    }

    private void assertFetched(int toOffset, int fromOffset, int size) {
        byte[] expected = new byte[size];
        far.get(fromOffset, expected);
        byte[] got = new byte[size];
        near.get(toOffset, got);
        assertThat(got).isEqualTo(expected);
        assertThat(near.get(toOffset + size)).isZero();
    }
}
