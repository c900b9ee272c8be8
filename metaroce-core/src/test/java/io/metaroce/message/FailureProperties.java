package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** One message of one stream cannot be carried out; what both applications see does not depend on the network. */
class FailureProperties {
    private static final int MESSAGES = 12;
    private static final int BYTES = 2500;

    /** Ways to go wrong, and what the two sides call them. */
    private enum Kind {
        WRONG_KEY(WcStatus.REM_ACCESS_ERR, WcStatus.WR_FLUSH_ERR),
        WRONG_KEY_WITH_IMMEDIATE(WcStatus.REM_ACCESS_ERR, WcStatus.LOC_ACCESS_ERR),
        TOO_LONG(WcStatus.REM_INV_REQ_ERR, WcStatus.LOC_LEN_ERR),
        LOCAL_ENTRY(WcStatus.LOC_PROT_ERR, WcStatus.WR_FLUSH_ERR),
        READ_OF_WRONG_KEY(WcStatus.REM_ACCESS_ERR, WcStatus.WR_FLUSH_ERR),
        MISALIGNED_ATOMIC(WcStatus.REM_ACCESS_ERR, WcStatus.WR_FLUSH_ERR),
        NOT_BUILT(WcStatus.LOC_QP_OP_ERR, WcStatus.WR_FLUSH_ERR);

        final WcStatus ofSender;
        final WcStatus ofReceiver;

        Kind(WcStatus ofSender, WcStatus ofReceiver) {
            this.ofSender = ofSender;
            this.ofReceiver = ofReceiver;
        }
    }

    @Property(tries = 100)
    @Covers({"R-ERR-001", "R-ERR-002", "R-ORD-002", "R-ORD-003", "R-ORD-006", "R-LOSS-012", "R-MEM-003", "R-SEND-007"})
    void theFirstFaultyMessageEndsItsStreamAndNothingElse(@ForAll long seed) {
        Random random = new Random(seed);
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        int fault = random.nextInt(MESSAGES);
        Pair pair = new Pair(Side.Shape.PLAIN.depth(MESSAGES)).open(0).open(1).start();
        ByteBuffer target = ByteBuffer.allocateDirect(2 * MESSAGES * 4096);
        MemoryRegion to = pair.b.memory(target);
        ByteBuffer source = ByteBuffer.allocateDirect(8192);
        for (int i = 0; i < 8192; i++) {
            source.put(i, (byte) 1);
        }
        MemoryRegion from = pair.a.memory(source);
        for (int stream = 0; stream < 2; stream++) {
            for (int i = 0; i < MESSAGES; i++) {
                long at = (stream * MESSAGES + i) * 4096L;
                int id = i;
                pair.b.postReceive(stream, cell -> cell.wrId(id).addSge(to.key(), at, BYTES));
                boolean isFaulty = stream == 0 && i == fault;
                pair.a.post(stream, cell -> {
                    cell.wrId(id).rkey(to.key()).remoteAddress(to.base() + at);
                    if (isFaulty) {
                        spoil(kind, cell, from);
                    } else {
                        cell.opcode(id % 2 == 0 ? WrOpcode.SEND : WrOpcode.RDMA_WRITE_WITH_IMM)
                                .addSge(from.key(), 0, BYTES);
                    }
                });
            }
        }
        pair.shuffle(random, () -> random.nextInt(20) == 0 && isDone(pair));
        check(pair.a.completionsOf(0), fault, kind.ofSender);
        check(pair.b.completionsOf(100), fault, kind.ofReceiver);
        check(pair.a.completionsOf(1), MESSAGES, WcStatus.SUCCESS);
        check(pair.b.completionsOf(101), MESSAGES, WcStatus.SUCCESS);
        Pair.assertNoProtocolError(pair.a);
        Pair.assertNoProtocolError(pair.b);
        // A fault that uses up no receive leaves its place to a later message, which may be placed before the fault is
        // met.
        boolean isAlone = kind == Kind.WRONG_KEY_WITH_IMMEDIATE || kind == Kind.TOO_LONG;
        for (int at = fault * 4096; isAlone && at < (fault + 1) * 4096; at++) {
            assertThat(target.get(at)).as("byte %d of the faulty message", at).isZero();
        }
        // What is still in flight is only filled, and the path goes on.
        pair.settle();
        assertThat(pair.a.flight).isEmpty();
        assertThat(pair.a.table.queuedBytes()).isZero();
    }

    private static void spoil(Kind kind, SendCell cell, MemoryRegion from) {
        switch (kind) {
            case WRONG_KEY -> cell.opcode(WrOpcode.RDMA_WRITE).rkey(0xBAD).addSge(from.key(), 0, BYTES);
            case WRONG_KEY_WITH_IMMEDIATE ->
                cell.opcode(WrOpcode.RDMA_WRITE_WITH_IMM).rkey(0xBAD).addSge(from.key(), 0, BYTES);
            case TOO_LONG -> cell.opcode(WrOpcode.SEND).addSge(from.key(), 0, BYTES + 1);
            case LOCAL_ENTRY ->
                cell.opcode(WrOpcode.SEND).addSge(from.key(), 0, 10).addSge(from.key(), 8000, BYTES - 10);
            case READ_OF_WRONG_KEY ->
                cell.opcode(WrOpcode.RDMA_READ).rkey(0xBAD).addSge(from.key(), 0, BYTES);
            case MISALIGNED_ATOMIC ->
                cell.opcode(WrOpcode.ATOMIC_FETCH_AND_ADD)
                        .remoteAddress(cell.remoteAddress() + 1)
                        .addSge(from.key(), 0, 8);
            case NOT_BUILT -> cell.opcode(WrOpcode.LOCAL_INV).addSge(from.key(), 0, BYTES);
        }
    }

    private static boolean isDone(Pair pair) {
        pair.a.poll(100);
        pair.b.poll(100);
        return pair.a.completions.size() == 2 * MESSAGES && pair.b.completions.size() == 2 * MESSAGES;
    }

    private static void check(List<Side.Wc> got, int fault, WcStatus status) {
        assertThat(got).hasSize(MESSAGES);
        for (int i = 0; i < MESSAGES; i++) {
            WcStatus expected = i < fault ? WcStatus.SUCCESS : i == fault ? status : WcStatus.WR_FLUSH_ERR;
            assertThat(got.get(i).wrId()).isEqualTo(i);
            assertThat(got.get(i).status())
                    .as("completion %d, fault at %d", i, fault)
                    .isEqualTo(expected);
        }
    }
}
