package io.metaroce.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.connection.UpdateSink.Freshness;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.param.StreamError;
import io.metaroce.queue.Signalling;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.Counter;
import io.metaroce.wire.StreamUpdate;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the streams of a connection share, and what is heard of one before and after its life. */
class StreamTableTest {
    private static final RnrPolicy TRIED = RnrPolicy.of(6, 50_000);

    private final Pair pair = new Pair(Side.Shape.PLAIN.rnr(TRIED));
    private final MemoryRegion from = pair.a.memory(ByteBuffer.allocateDirect(1 << 16));
    private final MemoryRegion to = pair.b.memory(ByteBuffer.allocateDirect(1 << 16));

    @Test
    void streamsAreKnownInTheOrderOfBinding() {
        assertThat(pair.a.table.streamIds()).isEmpty();
        pair.open(5).open(0);
        pair.a.open(pair.nowNs, 3);
        assertThat(pair.a.table.streamIds()).containsExactly(5, 0, 3);
        assertThat(pair.a.table.isBound(3)).isTrue();
        assertThat(pair.b.table.isBound(3)).isFalse();
        pair.a.table.closeStream(pair.nowNs, 5);
        assertThat(pair.a.table.streamIds()).as("failed ones too").containsExactly(5, 0, 3);
        assertThat(pair.a.isReportWanted).isTrue();
    }

    @Test
    void creditsArePostedReceives() {
        pair.open(2).start();
        assertThat(pair.b.table.postedReceives(2)).isZero();
        assertThat(pair.b.table.postedReceives(3)).isZero();
        receive(2);
        receive(2);
        pair.bells();
        assertThat(pair.b.table.postedReceives(2)).isEqualTo(2);
        Pair later = new Pair(Side.Shape.PLAIN.first(-1)).open(0);
        later.b.postReceive(0, cell -> {});
        later.bells();
        assertThat(later.b.table.postedReceives(0)).isEqualTo(1);
    }

    @Test
    void workPostedBeforeAStreamIsBoundIsTakenWhenItIs() {
        pair.a.makeRings(1, Signalling.ALL);
        pair.b.makeRings(1, Signalling.ALL);
        send(1, 10);
        receive(1);
        pair.a.table.open(pair.nowNs, 1, Side.DOMAIN, pair.a.sends[1], pair.a.receives[1]);
        pair.b.table.open(pair.nowNs, 1, Side.DOMAIN, pair.b.sends[1], pair.b.receives[1]);
        assertThat(pair.b.table.postedReceives(1)).isEqualTo(1);
        pair.start();
        assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(1);
    }

    @Test
    void packetsAreCutAsBothSidesAgreed() {
        Pair wide = new Pair(new Side.Shape(8, 64, 4096, 4096, TRIED, 256, 0));
        MemoryRegion here = wide.a.memory(ByteBuffer.allocateDirect(8192));
        MemoryRegion there = wide.b.memory(ByteBuffer.allocateDirect(8192));
        wide.a.table.payloadBytes(1024);
        wide.b.table.payloadBytes(1024);
        wide.open(0).start();
        wide.b.postReceive(0, cell -> cell.addSge(there.key(), 0, 8192));
        wide.settle();
        wide.a.post(0, cell -> cell.opcode(WrOpcode.SEND).addSge(here.key(), 0, 2100));
        wide.bells();
        assertThat(wide.a.send(wide.nowNs, 10)).isEqualTo(3);
        wide.settle();
        assertThat(wide.a.statuses(0)).containsExactly(WcStatus.SUCCESS);
    }

    @Test
    void workIsThatWhichIsUnderWayOrWaits() {
        pair.open(0).open(1).start();
        assertThat(pair.a.table.hasWork()).isFalse();
        receive(1);
        pair.settle();
        send(1, 10);
        assertThat(pair.a.table.hasWork()).as("posted").isTrue();
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        assertThat(pair.a.table.hasWork()).as("under way").isTrue();
        pair.settle();
        assertThat(pair.a.table.hasWork()).isFalse();
        pair.a.table.closeStream(pair.nowNs, 1);
        pair.a.post(1, cell -> cell.opcode(WrOpcode.SEND));
        assertThat(pair.a.table.hasWork()).as("nothing on a failed stream is").isFalse();
    }

    @Test
    void whoHasSomethingToSendSaysSo() {
        pair.open(0).start();
        receive(0);
        pair.settle();
        int before = pair.a.sendsWanted;
        send(0, 10);
        pair.bells();
        assertThat(pair.a.sendsWanted).isGreaterThan(before);
        pair.settle();
        int idle = pair.b.sendsWanted;
        read(0, 100);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        pair.deliver(pair.a, pair.a.flight.get(0));
        assertThat(pair.b.sendsWanted).as("an answer").isGreaterThan(idle);
    }

    // ---- before a stream is bound

    @Test
    @Covers({"R-ORD-008", "R-ORD-010"})
    void whatIsHeardOfAStreamBeforeItIsBoundCountsFromThenOn() {
        pair.start();
        hears(0, StreamUpdate.OPEN, 0, 0);
        hears(1, StreamUpdate.LIMIT_VALID, 0, 2);
        hears(2, StreamUpdate.OPEN | StreamUpdate.LIMIT_VALID, 0, 1);
        hears(4000, StreamUpdate.OPEN | StreamUpdate.LIMIT_VALID, 0, 1);
        for (int id = 0; id < 3; id++) {
            pair.a.table.open(pair.nowNs, id, Side.DOMAIN, rings(id).sends[id], pair.a.receives[id], RnrPolicy.WAIT);
            send(id, 10);
        }
        pair.bells();
        assertThat(streamsOf(pair.a, pair.a.send(pair.nowNs, 10)))
                .as("0 has no receive, 1 is not open")
                .containsExactly(2);
        hears(1, StreamUpdate.OPEN, 0, 0);
        assertThat(streamsOf(pair.a, pair.a.send(pair.nowNs, 10))).containsExactly(2, 1);
    }

    @Test
    void aStrangerIsDescribedUntilItsStreamIsOpen() {
        pair.a.open(pair.nowNs, 5);
        pair.a.table.peerOpened(pair.nowNs, 5, 1);
        pair.start();
        send(5, 10);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        StreamUpdate out = new StreamUpdate().wrap(ByteBuffer.allocate(StreamUpdate.LENGTH), 0);
        assertThat(pair.b.table.updates().describe(5, out)).isFalse();
        pair.deliver(pair.a, pair.a.flight.get(0));
        assertThat(pair.b.table.updates().hasNews()).isTrue();
        assertThat(pair.b.table.updates().describe(5, out)).isTrue();
        assertThat(out.code()).isEqualTo(StreamError.NOT_OPEN.code());
        assertThat(pair.b.table.updates().describe(6, out)).isFalse();
        pair.b.open(pair.nowNs, 5);
        assertThat(pair.b.table.updates().describe(5, out)).isTrue();
        assertThat(out.code()).isZero();
        assertThat(pair.news(pair.b)).allMatch(update -> update.code() == 0);
    }

    // ---- refusals

    @Test
    @Covers({"R-SEND-004", "R-ORD-010"})
    void whatWasRefusedIsQueuedOnceMoreUntilItArrivesAfterAll() {
        pair.open(0).start();
        pair.settle();
        send(0, 3000);
        pair.bells();
        pair.a.send(pair.nowNs, 1);
        pair.deliver(pair.a, pair.a.flight.get(0));
        assertThat(pair.a.table.queuedBytes()).isEqualTo(3000 - 1024);
        pair.report(pair.b);
        assertThat(pair.a.table.queuedBytes()).as("all of it has to go again").isEqualTo(3000);
        assertThat(pair.a.counters.get(Counter.RNR_NAKS_RECEIVED)).isEqualTo(1);
        assertThat(pair.a.send(pair.nowNs, 10))
                .as("nothing more of this attempt")
                .isZero();
        // The refusal was out of date: the message has been executed.
        send(0, 10);
        pair.bells();
        hears(0, StreamUpdate.OPEN | StreamUpdate.LIMIT_VALID, 0, 2);
        assertThat(pair.a.table.queuedBytes()).isEqualTo(3010);
    }

    @Test
    @Covers("R-ORD-010")
    void receivesThatAnOldRefusalTellsOfAreUsed() {
        pair.open(0).open(1).start();
        pair.settle();
        for (int i = 0; i < 4; i++) {
            send(0, 10);
        }
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 10)).isEqualTo(1);
        pair.deliver(pair.a, pair.a.flight.get(0));
        pair.a
                .table
                .updateSink()
                .onNak(pair.nowNs, Pair.nak(pair.b.refusals.get(0)).rsnLimit(3), Freshness.OLDER);
        assertThat(pair.a.send(pair.nowNs, 10))
                .as("two more are promised, one is tried")
                .isEqualTo(3);
    }

    // ---- what a failed stream leaves

    @Test
    @Covers("R-READ-004")
    void readsOfAStreamThatThePeerGaveUpMakeRoomForOthers() {
        pair.open(0).open(1).start();
        pair.settle();
        allReadsAreUnderWayOn(0);
        read(1, 8);
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 100)).as("all places are taken").isZero();
        pair.b.table.closeStream(pair.nowNs, 0);
        pair.report(pair.b);
        assertThat(pair.a.statuses(0)).isEmpty();
        pair.a.poll(100);
        assertThat(pair.a.statuses(0)).hasSize(Side.READS).doesNotContain(WcStatus.SUCCESS);
        assertThat(pair.a.send(pair.nowNs, 100)).isEqualTo(1);
    }

    @Test
    @Covers("R-READ-004")
    void readsOfAStreamGivenUpHereMakeRoomOnceThePeerKnows() {
        pair.open(0).open(1).start();
        pair.settle();
        allReadsAreUnderWayOn(0);
        read(1, 8);
        pair.bells();
        pair.a.table.closeStream(pair.nowNs, 0);
        assertThat(pair.a.send(pair.nowNs, 100)).as("the peer may still answer").isZero();
        pair.report(pair.a);
        pair.report(pair.b);
        assertThat(pair.a.send(pair.nowNs, 100)).isEqualTo(1);
    }

    @Test
    @Covers("R-READ-004")
    void whatWasKeptAndNotExecutedGoesWithItsStream() {
        pair.open(0).open(1).start();
        pair.settle();
        write(0, 10);
        for (int i = 0; i < Side.READS; i++) {
            read(0, 8);
        }
        pair.bells();
        pair.a.send(pair.nowNs, 100);
        for (Side.Sent sent : List.copyOf(pair.a.flight).subList(1, 1 + Side.READS)) {
            pair.deliver(pair.a, sent); // the Write before them is missing
        }
        assertThat(pair.b.send(pair.nowNs, 100)).isZero();
        pair.b.table.closeStream(pair.nowNs, 0);
        pair.report(pair.b);
        pair.a.flight.clear();
        for (int i = 0; i < Side.READS; i++) {
            read(1, 8);
        }
        pair.settle();
        assertThat(pair.a.statuses(1)).hasSize(Side.READS).containsOnly(WcStatus.SUCCESS);
    }

    // ---- fairness of answers

    @Test
    @Covers("R-READ-003")
    void streamsAreAnsweredInTurnEightPacketsEach() {
        pair.open(0).open(1).start();
        pair.settle();
        read(0, 20 * 1024);
        read(1, 20 * 1024);
        pair.bells();
        pair.a.send(pair.nowNs, 10);
        for (Side.Sent sent : List.copyOf(pair.a.flight)) {
            pair.deliver(pair.a, sent);
        }
        assertThat(pair.b.table.queuedBytes()).isEqualTo(40 * 1024);
        pair.b.send(pair.nowNs, 16);
        assertThat(pair.b.table.queuedBytes()).isEqualTo(24 * 1024);
        List<Integer> tags = new ArrayList<>();
        for (Side.Sent sent : pair.b.flight) {
            tags.add(Pair.view(sent).readResponse().rdTag());
        }
        assertThat(tags.subList(0, 8)).containsOnly(tags.get(0));
        assertThat(tags.subList(8, 16)).containsOnly(tags.get(8)).doesNotContain(tags.get(0));
    }

    private void allReadsAreUnderWayOn(int stream) {
        for (int i = 0; i < Side.READS; i++) {
            read(stream, 8);
        }
        pair.bells();
        assertThat(pair.a.send(pair.nowNs, 100)).isEqualTo(Side.READS);
    }

    private Side rings(int id) {
        pair.a.makeRings(id, Signalling.FLAGGED);
        return pair.a;
    }

    private void hears(int stream, int flags, int nextMsn, int rsnLimit) {
        StreamUpdate update = new StreamUpdate()
                .wrap(ByteBuffer.allocate(StreamUpdate.LENGTH), 0)
                .streamId(stream)
                .flags(flags)
                .nextMsn(nextMsn)
                .rsnLimit(rsnLimit);
        pair.a.table.updateSink().onUpdate(pair.nowNs, update, Freshness.NEWEST);
    }

    private static List<Integer> streamsOf(Side side, int sent) {
        assertThat(sent).isPositive();
        List<Integer> ids = new ArrayList<>();
        for (Side.Sent each : side.flight) {
            ids.add(Pair.view(each).message().streamId());
        }
        return ids;
    }

    private void send(int stream, int size) {
        pair.a.post(stream, cell -> cell.opcode(WrOpcode.SEND).addSge(from.key(), 0, size));
    }

    private void write(int stream, int size) {
        pair.a.post(
                stream,
                cell -> cell.opcode(WrOpcode.RDMA_WRITE)
                        .rkey(to.key())
                        .remoteAddress(to.base())
                        .addSge(from.key(), 0, size));
    }

    private void read(int stream, int size) {
        pair.a.post(
                stream,
                cell -> cell.opcode(WrOpcode.RDMA_READ)
                        .rkey(to.key())
                        .remoteAddress(to.base())
                        .addSge(from.key(), 0, size));
    }

    private void receive(int stream) {
        pair.b.postReceive(stream, cell -> cell.addSge(to.key(), 0, 1 << 16));
    }
}
