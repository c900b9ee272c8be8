package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.metaroce.Covers;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.SharedReceiveRing;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.wire.StreamUpdate;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receives that several streams share: given to whichever message comes first, refused when there are none. */
class SharedReceivesTest {
    private static final long DELAY_NS = 50_000;
    private static final int ROOM = 4096;

    private final Pair pair =
            new Pair(Side.Shape.PLAIN.rnr(new RnrPolicy(RnrPolicy.Trust.CREDITS, RnrPolicy.FOR_EVER, DELAY_NS)));
    private int lows;
    private final SharedReceiveRing shared = new SharedReceiveRing(16, 4, () -> lows++);
    private final ByteBuffer target = ByteBuffer.allocateDirect(64 * ROOM);
    private final MemoryRegion from = pair.a.memory(ByteBuffer.allocateDirect(ROOM));
    private final MemoryRegion to = pair.b.memory(target);

    SharedReceivesTest() {
        for (int id = 0; id < 3; id++) {
            pair.a.open(pair.nowNs, id);
            pair.b.openShared(pair.nowNs, id, shared);
        }
        pair.start();
        pair.settle();
    }

    @Test
    @Covers("R-SEND-012")
    void theNextReceiveGoesToTheMessageThatComesFirst() {
        receives(1, 2);
        send(0, 10, 100);
        send(1, 20, 100);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        pair.deliver(pair.a, pair.a.flight.get(1));
        pair.deliver(pair.a, pair.a.flight.get(0));
        pair.settle();
        assertThat(pair.b.wrIds(101)).containsExactly(1L);
        assertThat(pair.b.wrIds(100)).containsExactly(2L);
    }

    @Test
    @Covers({"R-SEND-012", "R-SEND-002"})
    void aLaterMessageOfAStreamMayBindFirstAndStillCompletesInOrder() {
        receives(1, 2);
        send(0, 10, 100);
        send(0, 11, 200);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        pair.deliver(pair.a, pair.a.flight.get(1));
        pair.b.poll(10);
        assertThat(pair.b.completions).isEmpty();
        pair.deliver(pair.a, pair.a.flight.get(0));
        pair.settle();
        assertThat(pair.b.wrIds(100)).containsExactly(2L, 1L);
        assertThat(pair.b.completions).extracting(Side.Wc::length).containsExactly(100, 200);
    }

    @Test
    @Covers({"R-SEND-013", "R-SEND-004"})
    void anEmptyQueueRefusesAndTheRetryWaitsForItsDelay() {
        send(0, 10, 100);
        refuseOnce();
        receives(1);
        pair.reports();
        assertThat(pair.a.send(pair.nowNs, 10))
                .as("a limit alone is no permission")
                .isZero();
        retryWhenDue();
        pair.settle();
        assertThat(pair.b.wrIds(100)).containsExactly(1L);
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
    }

    @Test
    @Covers("R-SEND-013")
    void theUpdateAloneTellsThatSharedReceivesRanOut() {
        send(0, 10, 100);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        Side.Sent sent = pair.a.flight.get(0);
        pair.deliver(pair.a, sent);
        pair.b.refusals.clear(); // lost
        StreamUpdate update = pair.describe(pair.b, 0);
        assertThat(update.flags() & (StreamUpdate.REFUSED | StreamUpdate.LIMIT_VALID))
                .isEqualTo(StreamUpdate.REFUSED);
        pair.report(pair.b);
        pair.a.acked(pair.nowNs, sent);
        assertThat(pair.a.send(pair.nowNs, 10)).isZero();
        receives(1);
        retryWhenDue();
        pair.settle();
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
    }

    @Test
    void aStreamMayRunAheadByAWindowWhateverIsPosted() {
        for (int i = 0; i < 20; i++) {
            send(0, i, 1);
        }
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 100)).isEqualTo(16);
    }

    @Test
    void onlyBoundReceivesEndWithTheirStream() {
        receives(1, 2, 3);
        send(0, 10, 2000);
        send(0, 11, 100);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        pair.deliver(pair.a, pair.a.flight.get(2));
        pair.b.table.closeStream(pair.nowNs, 0);
        pair.b.poll(10);
        assertThat(pair.b.completions)
                .extracting(Side.Wc::wrId, Side.Wc::status)
                .containsExactly(tuple(1L, WcStatus.WR_FLUSH_ERR));
        send(1, 20, 5);
        send(2, 30, 5);
        pair.settle();
        assertThat(pair.b.wrIds(101)).hasSize(1);
        assertThat(pair.b.wrIds(102)).hasSize(1);
    }

    @Test
    @Covers("R-SEND-014")
    void anEarlierMessageTakesTheReceiveOfTheLastOneBehindIt() {
        receives(1, 2);
        for (int i = 0; i < 3; i++) {
            send(0, 10 + i, 100 + i);
        }
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        List<Side.Sent> all = List.copyOf(pair.a.flight);
        pair.deliver(pair.a, all.get(1));
        pair.deliver(pair.a, all.get(2));
        pair.deliver(pair.a, all.get(0));
        assertThat(pair.b.refusals).hasSize(1);
        assertThat(pair.b.refusals.get(0).msn()).isEqualTo(2);
        pair.b.poll(10);
        assertThat(pair.b.wrIds(100)).containsExactly(2L, 1L);
        assertThat(pair.b.completions).extracting(Side.Wc::length).containsExactly(100, 101);
        receives(3);
        pair.settle();
        retryWhenDue();
        pair.settle();
        assertThat(pair.b.wrIds(100)).containsExactly(2L, 1L, 3L);
        assertThat(pair.a.completions).hasSize(3).allMatch(wc -> wc.status() == WcStatus.SUCCESS);
    }

    @Test
    void aMessageTooLongForItsReceiveFailsItsStreamOnly() {
        receives(1, 2);
        send(0, 10, ROOM);
        pair.settle();
        assertThat(pair.b.statuses(100)).containsExactly(WcStatus.LOC_LEN_ERR);
        assertThat(pair.a.statuses(0)).containsExactly(WcStatus.REM_INV_REQ_ERR);
        send(1, 20, 5);
        pair.settle();
        assertThat(pair.b.statuses(101)).containsExactly(WcStatus.SUCCESS);
    }

    @Test
    void fewReceivesLeftAreToldOnce() {
        receives(1, 2, 3, 4);
        shared.lowWater(3);
        for (int i = 0; i < 4; i++) {
            send(0, i, 1);
        }
        pair.settle();
        assertThat(lows).isEqualTo(1);
        assertThat(shared.lowWater()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    @Covers({"R-SEND-012", "R-SEND-013", "R-ORD-002"})
    void everythingArrivesOnceHoweverFewReceivesThereAre(int seed) {
        Random random = new Random(seed);
        int[] posted = {0};
        for (int i = 0; i < 60; i++) {
            send(i % 3, i, 1 + i * 20);
        }
        pair.shuffle(random, () -> {
            if (posted[0] < 60 && random.nextInt(40) == 0) {
                posted[0] += receive(posted[0], 2048) ? 1 : 0;
            }
            return pair.a.completions.size() == 60 && pair.b.completions.size() == 60;
        });
        assertThat(pair.a.completions).allMatch(wc -> wc.status() == WcStatus.SUCCESS);
        assertThat(pair.b.completions).extracting(Side.Wc::wrId).doesNotHaveDuplicates();
        for (int id = 0; id < 3; id++) {
            int first = id;
            List<Integer> lengths =
                    pair.b.completionsOf(100 + id).stream().map(Side.Wc::length).toList();
            assertThat(lengths)
                    .containsExactlyElementsOf(LongStream.range(0, 20)
                            .mapToObj(i -> (int) (1 + (first + 3 * i) * 20))
                            .toList());
        }
        Pair.assertNoProtocolError(pair.b);
    }

    private void refuseOnce() {
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(1);
        Side.Sent sent = pair.a.flight.get(0);
        pair.deliver(pair.a, sent);
        assertThat(pair.b.refusals).hasSize(1);
        pair.a.acked(pair.nowNs, sent);
        pair.report(pair.b);
        assertThat(pair.a.send(pair.nowNs, 10)).isZero();
    }

    private void retryWhenDue() {
        pair.nowNs = Math.max(pair.nowNs, pair.a.table.source().deadlineNs());
        pair.a.table.source().onDeadline(pair.nowNs);
        pair.nowNs += DELAY_NS;
        pair.a.table.source().onDeadline(pair.nowNs);
    }

    private void send(int stream, long wrId, int size) {
        pair.a.post(stream, cell -> cell.wrId(wrId).opcode(WrOpcode.SEND).addSge(from.key(), 0, size));
    }

    private void receives(long... wrIds) {
        for (long wrId : wrIds) {
            assertThat(receive(wrId, 2048)).isTrue();
        }
    }

    private boolean receive(long wrId, int room) {
        ReceiveCell cell = shared.acquire();
        if (cell == null) {
            return false;
        }
        shared.post(cell.wrId(wrId).addSge(to.key(), (wrId & 63) * ROOM, room));
        return true;
    }
}
