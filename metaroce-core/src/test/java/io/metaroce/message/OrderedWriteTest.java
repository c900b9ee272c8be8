package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.param.StreamError;
import io.metaroce.queue.SendFlags;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.wire.MessageHeader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes of one packet that show only after everything before them. */
class OrderedWriteTest {
    private static final int PAYLOAD = Side.Shape.PLAIN.payloadBytes();

    private final Pair pair = new Pair(Side.Shape.PLAIN);
    private final ByteBuffer source = ByteBuffer.allocateDirect(64 * 1024);
    private final ByteBuffer target = ByteBuffer.allocateDirect(64 * 1024);
    private final MemoryRegion from = pair.a.memory(source);
    private final MemoryRegion to = pair.b.memory(target);

    OrderedWriteTest() {
        for (int i = 0; i < source.capacity(); i++) {
            source.put(i, (byte) (i % 251 + 1));
        }
        pair.open(0).open(1);
    }

    private void agree(int writes) {
        pair.a.table.orderedWrites(writes, writes);
        pair.b.table.orderedWrites(writes, writes);
        pair.start();
        pair.settle();
    }

    @Test
    @Covers("R-ORD-011")
    void anOrderedWriteShowsOnlyAfterEverythingBeforeIt() {
        agree(4);
        write(0, 0, 2 * PAYLOAD, 0);
        write(0, 8000, 8, SendFlags.ORDERED);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        List<Side.Sent> all = List.copyOf(pair.a.flight);
        pair.deliver(pair.a, all.get(2));
        assertThat(target.get(8000)).isZero();
        pair.deliver(pair.a, all.get(1));
        assertThat(target.get(8000)).as("the first byte is still missing").isZero();
        pair.deliver(pair.a, all.get(0));
        assertThat(target.get(8000)).isEqualTo(source.get(8000));
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS, WcStatus.SUCCESS);
        assertPlaced(8000, 8);
    }

    @Test
    @Covers("R-ORD-011")
    void noMoreAreOutstandingThanThePeerKeeps() {
        agree(2);
        for (int i = 0; i < 5; i++) {
            write(i % 2, 100 * i, 10, SendFlags.ORDERED);
        }
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(2);
        pair.settle();
        assertThat(pair.a.completions).hasSize(5).allMatch(wc -> wc.status() == WcStatus.SUCCESS);
        for (int i = 0; i < 5; i++) {
            assertPlaced(100 * i, 10);
        }
    }

    @Test
    void onlyAWriteOfOnePacketCanBeOrdered() {
        agree(4);
        write(0, 0, PAYLOAD, SendFlags.ORDERED);
        write(0, 0, PAYLOAD + 1, SendFlags.ORDERED);
        pair.a.post(1, cell -> cell.opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED | SendFlags.ORDERED));
        pair.b.postReceive(1, cell -> {});
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS, WcStatus.LOC_QP_OP_ERR);
        assertThat(pair.a.statuses(1)).containsExactly(WcStatus.LOC_QP_OP_ERR);
    }

    @Test
    void withoutAnAgreementNothingOrderedLeaves() {
        pair.a.table.orderedWrites(4, 0);
        pair.b.table.orderedWrites(0, 4);
        pair.start();
        write(0, 0, 8, SendFlags.ORDERED);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.LOC_QP_OP_ERR);
        assertThat(target.get(0)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void onePacketMoreThanIsKeptIsInvalid(int kept) {
        pair.a.table.orderedWrites(1, 8);
        pair.b.table.orderedWrites(kept, 8);
        pair.start();
        write(0, 0, 8, 0);
        for (int i = 1; i <= 3; i++) {
            write(0, 100 * i, 8, SendFlags.ORDERED);
        }
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        for (int i = 3; i >= 0; i--) {
            pair.deliver(pair.a, pair.a.flight.get(i));
        }
        assertThat(pair.describe(pair.b, 0).code()).isEqualTo(StreamError.INV_REQ.code());
        assertThat(pair.describe(pair.b, 0).nextMsn())
                .as("the earliest that found no room")
                .isEqualTo(1);
    }

    @Test
    void aMessageOfSeveralPacketsThatSaysItIsOrderedIsInvalid() {
        agree(4);
        write(0, 0, PAYLOAD + 10, 0);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        Side.Sent sent = pair.a.flight.get(0);
        new MessageHeader().wrap(sent.bytes, 0).messageFlags(MessageHeader.ORDERED);
        pair.deliver(pair.a, sent);
        assertThat(pair.describe(pair.b, 0).code()).isEqualTo(StreamError.INV_REQ.code());
        assertThat(target.get(0)).isZero();
    }

    @Test
    void keyAndBoundsAreCheckedInItsTurn() {
        agree(4);
        write(0, 0, 8, 0);
        write(0, target.capacity() - 4, 8, SendFlags.ORDERED);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        pair.deliver(pair.a, pair.a.flight.get(1));
        assertThat(pair.describe(pair.b, 0).code()).isZero();
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void theStashOfAFailedStreamIsFreeForOthers() {
        agree(2);
        write(0, 0, 8, 0);
        write(0, 100, 8, SendFlags.ORDERED);
        write(0, 200, 8, SendFlags.ORDERED);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        pair.deliver(pair.a, pair.a.flight.get(1));
        pair.deliver(pair.a, pair.a.flight.get(2));
        write(1, 300, 8, 0);
        write(1, 400, 8, SendFlags.ORDERED);
        pair.a.table.closeStream(pair.nowNs, 0);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        assertThat(pair.a.flight).as("the peer may still keep two").hasSize(4);
        pair.a.resend(pair.nowNs, pair.a.flight.get(0)); // withdrawn
        pair.settle();
        assertThat(pair.a.statuses(1)).containsExactly(WcStatus.SUCCESS, WcStatus.SUCCESS);
        assertThat(target.get(100)).isZero();
        assertPlaced(400, 8);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    @Covers("R-ORD-011")
    void whateverTheNetworkDoesAFlagNeverShowsBeforeItsData(int seed) {
        agree(3);
        for (int i = 0; i < 12; i++) {
            write(0, 3000 * i, 2000, 0);
            write(0, 3000 * i + 2500, 8, SendFlags.ORDERED);
        }
        pair.shuffle(new Random(seed), () -> {
            for (int i = 0; i < 12; i++) {
                if (target.get(3000 * i + 2500) != 0) {
                    assertPlaced(3000 * i, 2000);
                }
            }
            return pair.a.completions.size() == 24;
        });
        assertThat(pair.a.completions).allMatch(wc -> wc.status() == WcStatus.SUCCESS);
        assertPlaced(3000 * 11 + 2500, 8);
    }

    private void write(int stream, int offset, int length, int flags) {
        pair.a.post(
                stream,
                cell -> cell.opcode(WrOpcode.RDMA_WRITE)
                        .flags(SendFlags.SIGNALED | flags)
                        .remoteAddress(to.base() + offset)
                        .rkey(to.key())
                        .addSge(from.key(), Math.min(offset, source.capacity() - length), length));
    }

    private void assertPlaced(int offset, int length) {
        assertThat(target.slice(offset, length)).isEqualTo(source.slice(offset, length));
    }
}
