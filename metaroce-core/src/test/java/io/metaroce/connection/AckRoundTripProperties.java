package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import io.metaroce.param.StreamError;
import io.metaroce.path.PathEvent;
import io.metaroce.path.PathState;
import io.metaroce.trace.Counter;
import io.metaroce.trace.DropReason;
import io.metaroce.trace.TransportEvents;
import io.metaroce.wire.AckHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.StreamUpdate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/** What B received, written into bytes, read from them by A. */
class AckRoundTripProperties {
    private static final int HINT = Minifloat.encodeHint(1_000_000_000);
    private Rig a = Rig.a(8, 2);
    private Rig b = Rig.b(8, 2);

    @Property(tries = 200)
    @Covers({"R-SACK-001", "R-SACK-004", "R-LOSS-001", "R-LOSS-002"})
    void exactlyWhatCameIsReleasedAndWhatWasOvertakenIsLost(
            @ForAll @Size(min = 1, max = 60) List<Boolean> arrivals, @ForAll @IntRange(max = 7) int path) {
        a = Rig.a(8, 2);
        b = Rig.b(8, 2);
        List<Integer> slots = new ArrayList<>();
        for (int i = 0; i < arrivals.size(); i++) {
            slots.add(a.send(16L * i, path));
        }
        Set<Integer> arrived = new HashSet<>();
        int lost = 0;
        for (int i = 0; i < arrivals.size(); i++) {
            if (arrivals.get(i)) {
                b.receive(4_000, a, path, i, i);
                arrived.add(slots.get(i));
                lost = i + 1 - arrived.size();
            }
        }
        b.writer.write(4_064, b.out, HINT, 3, 0);
        assertThat(read(8_000, b.written())).isNull();
        assertThat(new HashSet<>(a.streams.acked)).isEqualTo(arrived);
        assertThat(a.paths.outbound(path).unacked()).isEqualTo(arrivals.size() - arrived.size());
        assertThat(a.paths.outbound(path).queued()).isEqualTo(lost);
        assertThat(a.congestion.inFlightBytes()).isEqualTo(1000L * (arrivals.size() - arrived.size() - lost));
        assertThat(a.counters.get(Counter.RETRANSMIT_GAP)).isEqualTo(lost);
        assertThat(a.cleanPaths).hasSize(arrived.size()).allMatch(one -> one == path);
    }

    @Example
    @Covers({"R-ACK-005", "R-HDR-001", "R-HDR-003"})
    void everyAcknowledgementCarriesHintPlanesAndBytes() {
        for (int round = 1; round < 5; round++) {
            b.writer.write(0, b.out, HINT + round, 3, 64L * round + 63);
            PacketView ack = b.written();
            assertThat(ack.opcode()).isEqualTo(Opcode.ACK);
            assertThat(ack.base().dstConnId()).isEqualTo(b.agreement.peerId());
            assertThat(ack.base().psn()).isEqualTo(round); // AckSeq
            assertThat(ack.ack().rateHint()).isEqualTo(HINT + round);
            assertThat(ack.ack().planeUp()).isEqualTo(3);
            assertThat(ack.ack().rxBytes()).isEqualTo(round);
            assertThat(ack.ack().ackFlags()).isZero();
            assertThat(ack.trailerMatches(a.agreement.receiveSeed())).isTrue();
        }
    }

    @Example
    @Covers("R-ACK-009")
    void consecutiveReportsTakeDifferentPlanesAndRoutes() {
        Set<Integer> entropies = new TreeSet<>();
        int last = -1;
        for (int round = 0; round < 8; round++) {
            b.writer.write(0, b.out, HINT, 3, 0);
            assertThat(b.out.route().plane()).isNotEqualTo(last);
            last = b.out.route().plane();
            entropies.add(b.out.route().entropy());
        }
        assertThat(entropies).hasSizeGreaterThanOrEqualTo(4);
    }

    @Example
    @Covers("R-HEALTH-006")
    void reportsAvoidSuspectPaths() {
        for (int i = 0; i < 8; i++) {
            if (i != 5) {
                b.paths.outbound(i).on(PathEvent.SILENT, 0);
            }
        }
        for (int round = 0; round < 4; round++) {
            b.writer.write(0, b.out, HINT, 3, 0);
            assertThat(b.out.route()).isSameAs(b.paths.outbound(5).route());
        }
    }

    @Example
    @Covers({"R-ACK-006", "R-HINT-007"})
    void anOlderAcknowledgementReleasesSlotsAndNothingElse() {
        for (int i = 0; i < 4; i++) {
            a.send(16L * i, 0);
        }
        b.receive(4_000, a, 0, 0, 0);
        b.receive(4_000, a, 0, 2, 2);
        b.writer.write(4_000, b.out, HINT, 3, 0);
        PacketView older = Rig.parsed(b.out, new PacketView());
        b.writer.write(4_000, b.out, 0, 3, 0); // nothing about path 0 is in the newer one once it was told twice
        b.writer.write(4_000, b.out, 2 * HINT & 0xFFFF, 3, 0);
        assertThat(b.written().pathBlockCount()).isZero();
        assertThat(read(8_000, b.written())).isNull();
        long hint = a.congestion.hintBytesPerSecond();
        long smoothed = a.paths.outbound(0).smoothedRttNs();
        assertThat(read(90_000, older)).isNull();
        assertThat(a.streams.acked).hasSize(2);
        assertThat(a.paths.outbound(0).queued()).isZero();
        assertThat(a.congestion.hintBytesPerSecond()).isEqualTo(hint);
        assertThat(a.paths.outbound(0).smoothedRttNs()).isEqualTo(smoothed);
        assertThat(a.paths.outbound(0).lastEvidenceNs()).isEqualTo(90_000); // it has delivered, all the same
    }

    @Example
    void updatesOfAnOlderReportAreHeardAsOlder() {
        b.streams.news.add(new FakeStreams.Told(1, 10));
        b.writer.write(0, b.out, HINT, 3, 0);
        PacketView older = Rig.parsed(b.out, new PacketView());
        b.streams.news.add(new FakeStreams.Told(1, 11));
        b.writer.write(0, b.out, HINT, 3, 0);
        read(0, b.written());
        read(0, older);
        assertThat(a.streams.heard)
                .containsExactly(
                        new FakeStreams.Heard(1, 11, UpdateSink.Freshness.NEWEST),
                        new FakeStreams.Heard(1, 10, UpdateSink.Freshness.OLDER));
    }

    @Example
    @Covers("R-ACK-006")
    void aReportFarFromTheNewestIsNoReport() {
        b.writer.write(0, b.out, HINT, 3, 0);
        PacketView ack = b.written();
        for (int far : new int[] {(1 << 20) + 1, Integer.MIN_VALUE, -(1 << 20) - 1, Integer.MAX_VALUE}) {
            ack.base().psn(far);
            assertThat(read(0, ack)).isEqualTo(DropReason.STALE_REPORT);
        }
        ack.base().psn(1 << 20);
        assertThat(read(0, ack)).isNull();
        ack.base().psn(1 << 21);
        assertThat(read(0, ack)).isNull();
    }

    @Example
    void aRefusalFarFromTheNewestIsNone() {
        ControlQueue queue = new ControlQueue();
        queue.refuse(new ConnectionPort.Refusal(StreamError.RNR, 3, 7, 0, 0, 0, 0, 0));
        new ControlWriter(queue, b.streams.ports(), b.reporting, b.counters, b.scratch).write(0, b.out);
        PacketView nak = b.written();
        nak.base().psn((1 << 20) + 1);
        assertThat(a.reader.isStale(nak)).isTrue();
        nak.base().psn(1);
        assertThat(a.reader.isStale(nak)).isFalse();
        a.reader.onNak(0, nak);
        assertThat(a.streams.heard).containsExactly(new FakeStreams.Heard(3, 7, UpdateSink.Freshness.NEWEST));
    }

    @Example
    @Covers("R-ACK-007")
    void aBlockOfAPathThatDoesNotExistBreaksTheProtocol() {
        b.receive(0, a, 0, 0, 0);
        a.send(0, 0);
        b.writer.write(0, b.out, HINT, 3, 0);
        PacketView ack = b.written();
        ack.pathBlock(0).pathId(8);
        assertThat(read(0, ack)).isEqualTo(DropReason.PROTOCOL);
        ack.pathBlock(0).pathId(255);
        assertThat(read(0, ack)).isEqualTo(DropReason.PROTOCOL);
    }

    @Example
    @Covers("R-LOSS-007")
    void aBlockOfAnotherEpochReleasesSlotsAndSaysNothingElse() {
        a.send(0, 0);
        a.send(16, 0);
        a.paths.outbound(0).on(PathEvent.SILENT, 100);
        b.receive(4_000, a, 0, 1, 1);
        b.writer.write(4_000, b.out, HINT, 3, 0);
        PacketView ack = b.written();
        ack.pathBlock(0).epoch(9);
        long window = a.congestion.windowBytes(0);
        assertThat(read(8_000, ack)).isNull();
        assertThat(a.streams.acked).hasSize(1);
        assertThat(a.paths.outbound(0).queued()).isZero();
        assertThat(a.paths.outbound(0).state()).isEqualTo(PathState.SUSPECT);
        assertThat(a.paths.outbound(0).smoothedRttNs()).isEqualTo(Rig.RTT_NS);
        assertThat(a.congestion.windowBytes(0)).isGreaterThanOrEqualTo(window);
    }

    @Example
    void evidenceEndsASuspicion() {
        a.send(0, 0);
        a.paths.outbound(0).on(PathEvent.SILENT, 100);
        b.receive(4_000, a, 0, 0, 0);
        b.writer.write(4_000, b.out, HINT, 3, 0);
        read(8_000, b.written());
        assertThat(a.paths.outbound(0).state()).isEqualTo(PathState.ACTIVE);
    }

    @Example
    @Covers("R-ACK-012")
    void aPausedReceiverGivesNoSample() {
        a.send(0, 0);
        b.receive(4_000, a, 0, 0, 0);
        b.writer.write(4_000, b.out, HINT, 3, 0);
        PacketView ack = b.written();
        ack.ack().ackFlags(AckHeader.PAUSED);
        read(80_000, ack);
        assertThat(a.paths.outbound(0).smoothedRttNs()).isEqualTo(Rig.RTT_NS);
        assertThat(a.streams.acked).hasSize(1);
    }

    @Example
    @Covers("R-CC-001")
    void marksOfOnePathTrimThatPath() {
        for (int i = 0; i < 4; i++) {
            a.send(16L * i, 0);
            a.send(16L * i, 1);
        }
        for (int i = 0; i < 4; i++) {
            b.paths.inbound(0).onSlot(a.agreement.firstSendPsn(0) + i);
            b.paths.inbound(0).onStamp(4_000, i, 0, true);
            b.receive(4_000, a, 1, i, i);
        }
        long marked = a.congestion.windowBytes(0);
        long other = a.congestion.windowBytes(1);
        b.writer.write(4_000, b.out, HINT, 3, 0);
        read(8_000, b.written());
        assertThat(a.congestion.windowBytes(0)).isLessThan(marked);
        assertThat(a.congestion.windowBytes(1)).isGreaterThanOrEqualTo(other);
        assertThat(a.congestion.isHot(8_001, 0)).isTrue();
        assertThat(a.congestion.isHot(8_001, 1)).isFalse();
        assertThat(a.cleanPaths).hasSize(4).containsOnly(1);
        assertThat(a.counters.get(Counter.TX_MARKS_SEEN)).isEqualTo(1);
    }

    @Example
    @Covers("R-LOSS-007")
    void whatIsNoEvidenceIsNotCalledMarkedByTheMarksOfAReportBefore() {
        for (int i = 0; i < 2; i++) {
            a.send(16L * i, 0);
            a.send(16L * i, 1);
        }
        b.paths.inbound(0).onSlot(a.agreement.firstSendPsn(0));
        b.paths.inbound(0).onStamp(4_000, 0, 0, true);
        b.writer.write(4_000, b.out, HINT, 2, 0);
        read(8_000, b.written());
        assertThat(a.cleanPaths).isEmpty();
        new RouteMoves(a.paths.count(), a.congestion, a.slab, a.agreement, a.counters, new TransportEvents() {})
                .borrow(8_000, a.paths.outbound(0), a.paths.outbound(1));
        b.receive(9_000, a, 0, 1, 1);
        b.paths.inbound(0).onStamp(9_000, 1, 0, false);
        b.writer.write(9_000, b.out, HINT, 2, 0);
        read(12_000, b.written());
        assertThat(a.paths.outbound(0).unacked()).isZero();
        assertThat(a.cleanPaths).containsOnly(0);
    }

    @Example
    @Covers("R-ACK-005")
    void aReportHoldsAsManyBlocksAndUpdatesAsFitAndBlocksLeaveRoomForUpdates() {
        int room = 1400 - 4 - AckHeader.LENGTH; // a chain of options may follow, of one word at least
        for (int updates : new int[] {0, 20, 200}) {
            Rig from = Rig.a(64, 1);
            Rig many = Rig.b(64, 1);
            for (int path = 0; path < 64; path++) {
                from.send(0, path);
                many.receive(4_000, from, path, 0, 0);
            }
            int blockBytes = many.paths.inbound(0).blocksBytes();
            for (int i = 0; i < updates; i++) {
                many.streams.news.add(new FakeStreams.Told(i, i));
            }
            int blocksRoom = updates == 0 ? room : room - 8 * StreamUpdate.LENGTH;
            int blocks = blocksRoom / blockBytes;
            assertThat(many.writer.write(4_064, many.out, HINT, 1, 0)).isTrue();
            assertThat(many.written().ack().pathBlockCount()).isEqualTo(blocks);
            int fit = Math.min(updates, (room - blocks * blockBytes) / StreamUpdate.LENGTH);
            assertThat(many.written().ack().streamUpdateCount()).isEqualTo(fit);
            assertThat(many.streams.news).hasSize(updates - fit);
            assertThat(many.out.headerLength()).isBetween(AckHeader.LENGTH + blocks * blockBytes, 1400);
        }
    }

    @Example
    @Covers("R-ACK-008")
    void newsThatDoesNotFitGoesFirstNextTime() {
        Rig many = Rig.b(254, 1);
        Rig sender = Rig.a(254, 1);
        for (int path = 0; path < 254; path++) {
            many.receive(0, sender, path, 200, 200); // a whole bitmap each
        }
        int[] told = new int[254];
        boolean left = true;
        int reports = 0;
        for (; left && reports < 100; reports++) {
            left = many.writer.write(0, many.out, HINT, 1, 0);
            assertThat(many.out.length()).isLessThanOrEqualTo(1404);
            PacketView ack = many.written();
            for (int i = 0; i < ack.pathBlockCount(); i++) {
                told[ack.pathBlock(i).pathId()]++;
            }
            int most = 0;
            int least = Integer.MAX_VALUE;
            for (int times : told) {
                most = Math.max(most, times);
                least = Math.min(least, times);
            }
            assertThat(most - least).isLessThanOrEqualTo(1); // nobody is told of twice before everybody was once
        }
        assertThat(told).containsOnly(2);
        assertThat(reports).isLessThanOrEqualTo(24);
    }

    @Example
    @Covers("R-ACK-008")
    void updatesThatDoNotFitFollowAtOnce() {
        for (int stream = 0; stream < 300; stream++) {
            b.streams.news.add(new FakeStreams.Told(stream, stream));
        }
        int reports = 1;
        while (reports < 100 && b.writer.write(0, b.out, HINT, 3, 0)) {
            read(0, b.written());
            reports++;
        }
        read(0, b.written());
        assertThat(b.streams.news).isEmpty();
        assertThat(a.streams.heard).hasSize(300);
        assertThat(reports).isEqualTo(3);
    }

    @Example
    void manyPathsDoNotKeepStreamsWaiting() {
        Rig many = Rig.b(254, 1);
        Rig sender = Rig.a(254, 1);
        many.streams.news.add(new FakeStreams.Told(1, 1));
        int reports = 0;
        while (reports < 100 && !many.streams.news.isEmpty()) {
            for (int path = 0; path < 254; path++) {
                many.receive(0, sender, path, 200, 200);
            }
            assertThat(many.writer.write(0, many.out, HINT, 1, 0)).isTrue();
            reports++;
            assertThat(reports).as("reports full of blocks").isLessThan(50);
        }
    }

    @Example
    void aChallengeIsEchoedOnceAndAProbeIsAnswered() {
        b.answers.onChallenge(0x1234_5678_9ABC_DEF0L);
        b.writer.write(0, b.out, HINT, 3, 0);
        PacketView answer = b.written();
        assertThat(answer.probeEcho()).isEqualTo(0x1234_5678_9ABC_DEF0L);
        assertThat(answer.ack().ackFlags()).isEqualTo(AckHeader.PROBE_ANSWER);
        b.writer.write(0, b.out, HINT, 3, 0);
        assertThat(b.written().hasProbeEcho()).isFalse();
        assertThat(b.written().ack().ackFlags()).isZero();
        b.answers.onProbe();
        b.writer.write(0, b.out, HINT, 3, 0);
        assertThat(b.written().hasProbeEcho()).isFalse();
        assertThat(b.written().ack().ackFlags()).isEqualTo(AckHeader.PROBE_ANSWER);
    }

    private @Nullable DropReason read(long nowNs, PacketView ack) {
        return a.reader.onReport(nowNs, ack, AckReader.Kind.ACK);
    }
}
