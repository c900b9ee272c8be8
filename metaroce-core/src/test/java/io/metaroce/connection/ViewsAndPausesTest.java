package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.path.Path;
import io.metaroce.trace.Counter;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.AckHeader;
import io.metaroce.wire.PacketView;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Reports of more slots than one bitmap shows, and of sides that stood still. */
class ViewsAndPausesTest {
    private static final int HINT = Minifloat.encodeHint(1_000_000_000);
    private static final int SLOTS = 900; // a bitmap shows 256
    private static final int REPORTS = 9; // three of each of the three further bitmaps
    private static final long DELAY_NS = Rig.RTT_NS / 2;

    private final EndpointConfig wide =
            Profiles.model().withPath(Profiles.model().path().withWindow(1024, 4));
    private final Rig a = Rig.a(wide, 2, 1);
    private final Rig b = Rig.b(wide, 2, 1);

    @Test
    @Covers({"R-SACK-001", "R-LOSS-001"})
    void whatOneBitmapDoesNotShowIsShownInTurn() {
        Set<Integer> missing = Set.of(0, 300, 301, 640);
        Set<Integer> arrived = new HashSet<>();
        for (int i = 0; i < SLOTS; i++) {
            int slot = a.send(16L * i, 0);
            if (!missing.contains(i)) {
                b.receive(20_000, a, 0, i, i);
                arrived.add(slot);
            }
        }
        for (int report = 0; report < REPORTS; report++) {
            int stamp = SLOTS + report;
            arrived.add(a.send(16L * stamp, 0));
            b.receive(20_000 + report, a, 0, stamp, stamp);
            b.receive(20_000 + report, a, 0, 1, stamp); // and a copy
            b.writer.write(20_000 + report, b.out, HINT, 1, 0);
            assertThat(a.reader.onReport(24_000 + report, b.written(), AckReader.Kind.ACK))
                    .isNull();
        }
        assertThat(new HashSet<>(a.streams.acked)).isEqualTo(arrived);
        assertThat(path().unacked()).isEqualTo(missing.size());
        assertThat(path().queued()).as("all of them are overtaken by far").isEqualTo(missing.size());
        assertThat(a.counters.get(Counter.RETRANSMIT_GAP)).isEqualTo(missing.size());
        assertThat(a.congestion.inFlightBytes()).isZero();
        assertThat(a.counters.get(Counter.ACKS_RECEIVED)).isEqualTo(REPORTS);
        assertThat(a.counters.get(Counter.SPURIOUS_RETRANSMIT)).as("copies").isPositive();
    }

    // ---- pauses

    @Test
    @Covers("R-ACK-012")
    void aReportOfASideThatStoodStillIsNoMeasure() {
        long usual = sample(0, Rig.RTT_NS);
        b.writer.onPaused(100_000, 50_000);
        assertThat(flagsAt(149_999) & AckHeader.PAUSED).isNotZero();
        long after = sample(140_000 - DELAY_NS, 1_000_000);
        assertThat(after).as("a millisecond was measured, and not believed").isEqualTo(usual);
        assertThat(flagsAt(150_000) & AckHeader.PAUSED).isZero();
        long later = sample(2_000_000, 2 * Rig.RTT_NS);
        assertThat(later).isGreaterThan(usual);
    }

    @Test
    @Covers("R-ACK-012")
    void whatWasSentBeforeThisSideStoodStillIsNoMeasure() {
        long usual = sample(0, Rig.RTT_NS);
        int slot = send(100_000);
        a.reader.onPaused(150_000, 80_000);
        deliver(slot, 100_000, 104_000);
        report(104_000, 229_999);
        assertThat(path().smoothedRttNs())
                .as("sent before, and heard soon after")
                .isEqualTo(usual);
        long sent = sample(231_000, 2 * Rig.RTT_NS);
        assertThat(sent).isGreaterThan(usual);
        int other = send(300_000);
        a.reader.onPaused(310_000, 1_000);
        deliver(other, 300_000, 304_000);
        long before = path().smoothedRttNs();
        report(304_000, 311_000);
        assertThat(path().smoothedRttNs()).as("long enough after").isNotEqualTo(before);
    }

    // ---- numbers

    @Test
    @Covers("R-ACK-006")
    void aReportOfAnUnknownPathOrOfSlotsNeverSentBreaksTheProtocol() {
        for (int i = 0; i < 3; i++) {
            a.send(16L * i, 0);
        }
        b.receive(4_000, a, 0, 5, 2);
        b.writer.write(4_000, b.out, HINT, 1, 0);
        assertThat(a.reader.onReport(8_000, b.written(), AckReader.Kind.ACK)).isEqualTo(DropReason.PROTOCOL);
        assertThat(a.streams.acked).isEmpty();
    }

    private Path path() {
        return a.paths.outbound(0);
    }

    private int sent;

    private int send(long nowNs) {
        a.send(nowNs, 0);
        return sent++;
    }

    private void deliver(int index, long sentNs, long nowNs) {
        b.receive(nowNs, a, 0, index, (int) (sentNs >> 4));
    }

    private void report(long writtenNs, long readNs) {
        b.writer.write(writtenNs, b.out, HINT, 1, 0);
        a.reader.onReport(readNs, b.written(), AckReader.Kind.ACK);
    }

    /** One slot there and back; the smoothed round trip afterwards. */
    private long sample(long atNs, long rttNs) {
        int slot = send(atNs);
        deliver(slot, atNs, atNs + DELAY_NS);
        report(atNs + DELAY_NS, atNs + rttNs);
        return path().smoothedRttNs();
    }

    private int flagsAt(long nowNs) {
        b.writer.write(nowNs, b.out, HINT, 1, 0);
        PacketView view = b.written();
        return view.ack().ackFlags();
    }
}
