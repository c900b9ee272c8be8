package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.num.Minifloat;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.Signalling;
import io.metaroce.queue.WcFlag;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.wire.MessageHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of every kind and size arrive as they left. */
class TransferTest {
    private static final int MTU = Side.Shape.PLAIN.payloadBytes();
    private static final int ROOM = 1 << 17;

    private final Pair pair = new Pair(Side.Shape.PLAIN).open(0).start();
    private final ByteBuffer source = ByteBuffer.allocateDirect(ROOM);
    private final ByteBuffer target = ByteBuffer.allocateDirect(ROOM);
    private final MemoryRegion from = pair.a.memory(source);
    private final MemoryRegion to = pair.b.memory(target);

    TransferTest() {
        byte[] noise = new byte[ROOM];
        new Random(1).nextBytes(noise);
        source.put(0, noise);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 2049, 65536})
    @Covers({"R-ORD-001", "R-HDR-014"})
    void aWriteOfAnySizeIsPlacedWhereItBelongs(int size) {
        pair.a.post(
                0,
                cell -> cell.wrId(9)
                        .opcode(WrOpcode.RDMA_WRITE)
                        .remoteAddress(to.base() + 3)
                        .rkey(to.key())
                        .addSge(from.key(), 5, size));
        pair.settle();
        assertThat(pair.a.completions)
                .containsExactly(new Side.Wc(0, 9, WcStatus.SUCCESS, WcOpcode.RDMA_WRITE, size, 0, 0));
        assertThat(pair.b.completions).isEmpty();
        assertPlaced(5, 3, size);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 2049, 65536})
    void aWriteWithImmediateUsesUpAReceiveAndTellsItsLength(int size) {
        pair.b.postReceive(0, cell -> cell.wrId(70));
        pair.a.post(
                0,
                cell -> cell.wrId(9)
                        .opcode(WrOpcode.RDMA_WRITE_WITH_IMM)
                        .immediate(0xCAFE)
                        .remoteAddress(to.base() + 3)
                        .rkey(to.key())
                        .addSge(from.key(), 5, size));
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
        assertThat(pair.b.completions)
                .containsExactly(new Side.Wc(
                        100, 70, WcStatus.SUCCESS, WcOpcode.RECV_RDMA_WITH_IMM, size, 0xCAFE, WcFlag.WITH_IMM));
        assertPlaced(5, 3, size);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 2049, 65536})
    void aSendFillsThePostedReceive(int size) {
        pair.b.postReceive(0, cell -> cell.wrId(70).addSge(to.key(), 11, size));
        pair.a.post(0, cell -> cell.opcode(WrOpcode.SEND).addSge(from.key(), 5, size));
        pair.settle();
        assertThat(pair.b.completions)
                .containsExactly(new Side.Wc(100, 70, WcStatus.SUCCESS, WcOpcode.RECV, size, 0, 0));
        assertPlaced(5, 11, size);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1024, 65536})
    void aSendWithImmediateBringsItAlong(int size) {
        pair.b.postReceive(0, cell -> cell.wrId(70).addSge(to.key(), 11, ROOM - 11));
        pair.a.post(0, cell -> cell.opcode(WrOpcode.SEND_WITH_IMM).immediate(-2).addSge(from.key(), 5, size));
        pair.settle();
        assertThat(pair.b.completions)
                .containsExactly(new Side.Wc(100, 70, WcStatus.SUCCESS, WcOpcode.RECV, size, -2, WcFlag.WITH_IMM));
        assertPlaced(5, 11, size);
    }

    @Test
    @Covers("R-MEM-008")
    void nothingIsCheckedForAMessageWithoutBytes() {
        pair.a.post(
                0, cell -> cell.opcode(WrOpcode.RDMA_WRITE).remoteAddress(-1).rkey(0xBAD));
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
    }

    @Test
    void piecesAreGatheredOnOneSideAndScatteredOnTheOther() {
        pair.b.postReceive(
                0,
                cell -> cell.addSge(to.key(), 100, 1)
                        .addSge(to.key(), 0, 0)
                        .addSge(to.key(), 200, 1500)
                        .addSge(to.key(), 5000, 4000));
        pair.a.post(
                0,
                cell -> cell.opcode(WrOpcode.SEND)
                        .addSge(from.key(), 10, 700)
                        .addSge(from.key(), 5000, 0)
                        .addSge(from.key(), 2000, 700)
                        .addSge(from.key(), 4000, 1600));
        pair.settle();
        assertThat(pair.b.statuses(100)).containsExactly(WcStatus.SUCCESS);
        byte[] expected = new byte[3000];
        source.get(10, expected, 0, 700);
        source.get(2000, expected, 700, 700);
        source.get(4000, expected, 1400, 1600);
        byte[] got = new byte[3000];
        target.get(100, got, 0, 1);
        target.get(200, got, 1, 1500);
        target.get(5000, got, 1501, 1499);
        assertThat(got).isEqualTo(expected);
    }

    @Test
    void inlineBytesNeedNoRegion() {
        pair.b.postReceive(0, cell -> cell.addSge(to.key(), 0, 64));
        pair.a.post(0, cell -> cell.opcode(WrOpcode.SEND).inline(source, 77, 40));
        pair.settle();
        assertThat(pair.b.completionsOf(100).get(0).length()).isEqualTo(40);
        assertPlaced(77, 0, 40);
    }

    @Test
    @Covers({"R-SEND-001", "R-SEND-002"})
    void aSendIsPlacedWhileAllBeforeItAreMissing() {
        for (int i = 0; i < 3; i++) {
            int at = i * 4096;
            pair.b.postReceive(0, cell -> cell.wrId(70 + at).addSge(to.key(), at, 4096));
        }
        pair.reports();
        pair.bells();
        pair.reports();
        for (int i = 0; i < 3; i++) {
            int at = i * 4096;
            pair.a.post(0, cell -> cell.opcode(WrOpcode.SEND).addSge(from.key(), at, 1000));
        }
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 100)).isEqualTo(3);
        pair.deliver(pair.a, pair.a.flight.get(2));
        pair.b.poll(10);
        assertThat(pair.b.completions).isEmpty();
        assertPlaced(8192, 8192, 1000);
        pair.deliver(pair.a, pair.a.flight.get(1));
        pair.b.poll(10);
        assertThat(pair.b.completions).isEmpty();
        pair.deliver(pair.a, pair.a.flight.get(0));
        pair.b.poll(10);
        assertThat(pair.b.wrIds(100)).containsExactly(70L, 70L + 4096, 70L + 8192);
    }

    @Test
    @Covers({"R-ORD-002", "R-ORD-006"})
    void completionsOfBothSidesAreInTheOrderOfPosting() {
        for (int i = 0; i < 20; i++) {
            int id = i;
            pair.b.postReceive(0, cell -> cell.wrId(id).addSge(to.key(), id * 64L, 64));
        }
        pair.bells();
        pair.reports();
        for (int i = 0; i < 20; i++) {
            int id = i;
            pair.a.post(0, cell -> cell.wrId(id).opcode(WrOpcode.SEND).addSge(from.key(), id * 64L, 64));
        }
        pair.bells();
        pair.a.send(pair.nowNs, 100);
        List<Side.Sent> order = new ArrayList<>(pair.a.flight);
        Collections.shuffle(order, new Random(5));
        for (Side.Sent sent : order) {
            pair.deliver(pair.a, sent);
            pair.report(pair.b);
        }
        pair.settle();
        List<Long> expected = new ArrayList<>();
        for (long i = 0; i < 20; i++) {
            expected.add(i);
        }
        assertThat(pair.b.wrIds(100)).isEqualTo(expected);
        assertThat(pair.a.wrIds(0)).isEqualTo(expected);
        assertPlaced(0, 0, 20 * 64);
    }

    @Test
    void onlyFlaggedRequestsAnnounceTheirSuccess() {
        for (int i = 0; i < 30; i++) {
            int id = i;
            pair.a.post(
                    0,
                    cell -> cell.wrId(id)
                            .opcode(WrOpcode.RDMA_WRITE)
                            .remoteAddress(to.base())
                            .rkey(to.key())
                            .addSge(from.key(), 0, 10)
                            .flags(id % 10 == 9 ? SendFlags.SIGNALED : 0));
        }
        pair.settle();
        assertThat(pair.a.wrIds(0)).containsExactly(9L, 19L, 29L);
        assertThat(pair.a.table.hasWork()).isFalse();
    }

    @Test
    void everyRequestAnnouncesItsSuccessIfTheQueueWasMadeSo() {
        pair.a.makeRings(1, Signalling.ALL);
        pair.a.table.open(pair.nowNs, 1, Side.DOMAIN, pair.a.sends[1], pair.a.receives[1]);
        pair.b.open(pair.nowNs, 1);
        pair.reports();
        pair.a.post(1, cell -> cell.flags(0).opcode(WrOpcode.RDMA_WRITE));
        pair.settle();
        assertThat(pair.a.statuses(1)).containsExactly(WcStatus.SUCCESS);
    }

    @Test
    @Covers({"R-LOSS-013", "R-ACK-011"})
    void theMemoryOfACompletedRequestIsNotReadAgain() {
        pair.a.post(
                0,
                cell -> cell.opcode(WrOpcode.RDMA_WRITE)
                        .remoteAddress(to.base())
                        .rkey(to.key())
                        .addSge(from.key(), 0, 10));
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        Side.Sent sent = pair.a.flight.get(0);
        assertThat(pair.a.resend(pair.nowNs, sent)).isTrue();
        pair.deliver(pair.a, sent);
        pair.report(pair.b);
        pair.a.poll(1);
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
        assertThat(pair.a.resend(pair.nowNs, sent)).isFalse();
    }

    @Test
    @Covers("R-PATH-023")
    void aPacketWrittenAgainIsTheSameExceptForDemand() {
        pair.a.post(
                0,
                cell -> cell.opcode(WrOpcode.RDMA_WRITE)
                        .remoteAddress(to.base() + 9)
                        .rkey(to.key())
                        .addSge(from.key(), 0, 3000));
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        for (Side.Sent sent : pair.a.flight) {
            ByteBuffer before = sent.bytes;
            assertThat(pair.a.resend(pair.nowNs, sent)).isTrue();
            byte[] first = bytes(before);
            byte[] second = bytes(sent.bytes);
            first[19] = 0;
            second[19] = 0;
            assertThat(List.of(first.length, first[1], first[24]))
                    .isEqualTo(List.of(second.length, second[1], second[24]));
            for (int i = 16; i < first.length; i++) {
                assertThat(second[i]).isEqualTo(first[i]);
            }
        }
    }

    @Test
    void demandTellsWhatIsStillQueued() {
        pair.a.post(
                0,
                cell -> cell.opcode(WrOpcode.RDMA_WRITE)
                        .remoteAddress(to.base())
                        .rkey(to.key())
                        .addSge(from.key(), 0, 20 * MTU));
        pair.bells();
        assertThat(pair.a.table.queuedBytes()).isEqualTo(20L * MTU);
        pair.a.send(pair.nowNs, 100);
        List<Integer> demands =
                pair.a.flight.stream().map(s -> Pair.view(s).message().demand()).toList();
        assertThat(demands.get(0)).isEqualTo(Minifloat.encodeDemand(19L * MTU));
        assertThat(demands.get(19)).isZero();
        assertThat(pair.a.table.queuedBytes()).isZero();
    }

    @Test
    void aSolicitedMessageSaysSo() {
        pair.b.postReceive(0, cell -> cell.addSge(to.key(), 0, 10));
        pair.bells();
        pair.reports();
        pair.a.post(0, cell -> cell.opcode(WrOpcode.SEND).flags(SendFlags.SOLICITED | SendFlags.SIGNALED));
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        assertThat(Pair.view(pair.a.flight.get(0)).message().messageFlags()).isEqualTo(MessageHeader.SOLICITED);
    }

    private void assertPlaced(int fromOffset, int toOffset, int size) {
        byte[] expected = new byte[size];
        source.get(fromOffset, expected);
        byte[] got = new byte[size];
        target.get(toOffset, got);
        assertThat(got).isEqualTo(expected);
        if (toOffset > 0) {
            assertThat(target.get(toOffset - 1)).isZero();
        }
        if (size > 0) {
            assertThat(target.get(toOffset + size)).isZero();
        }
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] all = new byte[buffer.capacity()];
        buffer.get(0, all);
        return all;
    }
}
