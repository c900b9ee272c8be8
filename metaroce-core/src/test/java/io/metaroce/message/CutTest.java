package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.wire.MessageHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How messages are cut while nobody knows how much a packet may carry, and when that changes. */
class CutTest {
    private static final int ROOM = 1 << 16;
    private static final Side.Shape WIDE = new Side.Shape(8, 64, 4096, 4096, RnrPolicy.WAIT, 256, 0);

    private final Pair pair = new Pair(WIDE).open(0).open(1).start();
    private final ByteBuffer near = ByteBuffer.allocateDirect(ROOM);
    private final ByteBuffer far = ByteBuffer.allocateDirect(ROOM);
    private final MemoryRegion here = pair.a.memory(near);
    private final MemoryRegion there = pair.b.memory(far);

    CutTest() {
        byte[] noise = new byte[ROOM];
        new Random(1).nextBytes(noise);
        near.put(0, noise);
        pair.settle();
    }

    @Test
    @Covers("R-PATH-027")
    void whileNothingIsProvedLongMessagesWaitAndShortOnesDoNot() {
        pair.a.table.source().cut(pair.nowNs, 1024, true);
        write(1, 0, 1024);
        write(2, 0, 1025);
        write(3, 0, 10);
        write(4, 1, 1000);
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 100)).as("the first of each stream").isEqualTo(2);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
        pair.a.table.source().cut(pair.nowNs, 4096, false);
        assertThat(pair.a.send(pair.nowNs, 100)).isEqualTo(2);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsOnly(WcStatus.SUCCESS).hasSize(3);
    }

    @Test
    @Covers("R-HDR-014")
    void aMessageKeepsTheSizeItBeganWith() {
        write(1, 0, 10_000);
        write(2, 0, 5_000);
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 1)).isEqualTo(1);
        pair.a.table.source().cut(pair.nowNs, 2048, false);
        pair.a.send(pair.nowNs, 100);
        assertThat(lengths(pair.a)).containsExactly(4096, 4096, 1808, 2048, 2048, 904);
        // A resend is what it was the first time.
        assertThat(pair.a.resend(pair.nowNs, pair.a.flight.get(0))).isTrue();
        assertThat(lengths(pair.a)).startsWith(4096);
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS, WcStatus.SUCCESS);
        assertPlaced(10_000);
    }

    @Test
    @Covers({"R-HDR-014", "R-READ-002"})
    void anAnswerWaitsAndKeepsItsSizeAsWell() {
        pair.b.table.source().cut(pair.nowNs, 1024, true);
        read(1, 1, 10_000);
        pair.settle();
        assertThat(pair.b.flight).isEmpty();
        pair.b.table.source().cut(pair.nowNs, 2048, false);
        assertThat(pair.b.send(pair.nowNs, 1)).isEqualTo(1);
        pair.b.table.source().cut(pair.nowNs, 4096, false);
        pair.b.send(pair.nowNs, 100);
        assertThat(lengths(pair.b)).containsExactly(2048, 2048, 2048, 2048, 1808);
        assertThat(pair.b.resend(pair.nowNs, pair.b.flight.get(1))).isTrue();
        assertThat(lengths(pair.b)).containsExactly(2048, 2048, 2048, 2048, 1808);
        pair.settle();
        assertThat(pair.a.statuses(1)).containsExactly(WcStatus.SUCCESS);
    }

    @Test
    @Covers("R-PATH-029")
    void whatIsTooLongEndsItsStreamBehindWhatWasBeforeAndNoOther() {
        write(1, 0, 100);
        write(2, 0, 9_000);
        write(3, 0, 100);
        write(4, 1, 3_000);
        pair.bells();
        pair.a.send(pair.nowNs, 3); // both streams have turns of several packets
        List<Side.Sent> flight = List.copyOf(pair.a.flight);
        assertThat(lengths(pair.a)).containsExactly(100, 4096, 4096);
        pair.a.table.source().cut(pair.nowNs, 2048, false);
        pair.a.table.source().giveUpAbove(pair.nowNs, 2048);
        assertThat(pair.a.resend(pair.nowNs, flight.get(1))).isTrue();
        assertThat(isWithdrawn(flight.get(1)))
                .as("the first message is not complete")
                .isFalse();
        pair.deliver(pair.a, flight.get(0));
        pair.a.acked(pair.nowNs, flight.get(0));
        pair.reports();
        assertThat(pair.a.resend(pair.nowNs, flight.get(1))).isTrue();
        assertThat(pair.a.resend(pair.nowNs, flight.get(2))).isTrue();
        assertThat(isWithdrawn(flight.get(1)) && isWithdrawn(flight.get(2))).isTrue();
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS, WcStatus.RETRY_EXC_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(pair.a.statuses(1)).containsExactly(WcStatus.SUCCESS);
        assertThat(pair.b.failedStreams).containsExactly(0);
    }

    @Test
    @Covers("R-PATH-029")
    void anAnswerThatIsTooLongEndsWithAnError() {
        read(1, 1, 10_000);
        pair.bells();
        pair.a.send(pair.nowNs, 100);
        pair.deliver(pair.a, pair.a.flight.get(0));
        pair.b.send(pair.nowNs, 1);
        pair.b.table.source().cut(pair.nowNs, 1024, false);
        pair.b.table.source().giveUpAbove(pair.nowNs, 1024);
        assertThat(pair.b.resend(pair.nowNs, pair.b.flight.get(0))).isTrue();
        pair.b.send(pair.nowNs, 100);
        assertThat(lengths(pair.b)).containsExactly(0, 0);
        pair.settle();
        assertThat(pair.a.statuses(1)).containsExactly(WcStatus.REM_OP_ERR);
    }

    private void write(long id, int stream, int size) {
        post(WrOpcode.RDMA_WRITE, id, stream, size);
    }

    private void read(long id, int stream, int size) {
        post(WrOpcode.RDMA_READ, id, stream, size);
    }

    private void post(WrOpcode opcode, long id, int stream, int size) {
        pair.a.post(
                stream,
                cell -> cell.wrId(id)
                        .opcode(opcode)
                        .rkey(there.key())
                        .remoteAddress(there.base())
                        .addSge(here.key(), 0, size));
    }

    private static List<Integer> lengths(Side of) {
        return of.flight.stream()
                .map(sent -> Side.view(sent.bytes).payloadLength())
                .toList();
    }

    private static boolean isWithdrawn(Side.Sent sent) {
        PacketView view = Side.view(sent.bytes);
        assertThat(view.opcode()).isEqualTo(Opcode.WRITE);
        return (view.message().messageFlags() & MessageHeader.WITHDRAWN) != 0;
    }

    private void assertPlaced(int bytes) {
        for (int i = 0; i < bytes; i++) {
            assertThat(far.get(i)).isEqualTo(near.get(i));
        }
    }
}
