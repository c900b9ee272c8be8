package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;
import io.metaroce.num.Deadline;
import io.metaroce.param.Profiles;
import io.metaroce.wire.PathBlock;
import org.junit.jupiter.api.Test;

/** What is asked of a path that is suspect, that stood still, or that is gone; and how much waits on all of them. */
class PathCareTest implements TxSlots.Outcome {
    private static final long RTT_NS = 8_000;
    private static final long PEER_DELAY_NS = 1_000;

    private final SlotSlab slab = new SlotSlab(64);
    private final PathTable table = new PathTable(2, Profiles.model().path(), slab, RxWindow.WIDTH_PACKETS, RTT_NS);
    private final Path path = path(0);
    private final Path other = path(1);
    private long nowNs = 1_000_000;

    // ---- a suspect

    @Test
    @Covers("R-HEALTH-002")
    void aSuspectIsAskedEveryQuarterOfATimeoutAndConfirmedAfterTwo() {
        long timeoutNs = path.timeoutNs(PEER_DELAY_NS);
        assertThat(path.askAtNs(PEER_DELAY_NS)).isEqualTo(Deadline.NEVER);
        path.on(PathEvent.SILENT, nowNs);
        assertThat(path.suspectedAtNs()).isEqualTo(nowNs);
        assertThat(path.confirmAtNs(PEER_DELAY_NS)).isEqualTo(nowNs + 2 * timeoutNs);
        assertThat(path.askAtNs(PEER_DELAY_NS)).isEqualTo(nowNs + timeoutNs / 4);
        path.ask();
        assertThat(path.isProbeWanted()).isTrue();
        assertThat(path.askAtNs(PEER_DELAY_NS)).isEqualTo(nowNs + 2 * timeoutNs / 4);
        assertThat(other.askAtNs(PEER_DELAY_NS)).isEqualTo(Deadline.NEVER);
    }

    // ---- a pause

    @Test
    void afterAPauseAPathThatWaitsIsAskedAndItsTimersBeginAnew() {
        send(path);
        timeout();
        nowNs += 1_000_000_000;
        path.beginAnew(nowNs, PEER_DELAY_NS);
        assertThat(path.isProbeWanted()).isTrue();
        assertThat(path.timeoutsInARow()).isZero();
        assertThat(path.deadlineNs()).isEqualTo(nowNs + path.timeoutNs(PEER_DELAY_NS));
    }

    @Test
    void afterAPauseAPathThatWaitsForNothingIsLeftAlone() {
        path.beginAnew(nowNs, PEER_DELAY_NS);
        assertThat(path.isProbeWanted()).isFalse();
        assertThat(path.deadlineNs()).isEqualTo(Deadline.NEVER);
    }

    @Test
    @Covers("R-HEALTH-003")
    void afterAPauseASuspicionBeginsAnew() {
        path.on(PathEvent.SILENT, nowNs);
        path.ask();
        path.ask();
        path.probed();
        nowNs += 1_000_000_000;
        path.beginAnew(nowNs, PEER_DELAY_NS);
        assertThat(path.suspectedAtNs()).isEqualTo(nowNs);
        assertThat(path.askAtNs(PEER_DELAY_NS)).isEqualTo(nowNs + path.timeoutNs(PEER_DELAY_NS) / 4);
        assertThat(path.isProbeWanted()).isTrue();
        assertThat(path.state()).isEqualTo(PathState.SUSPECT);
    }

    // ---- the end

    @Test
    void aPathThatIsGoneGivesBackItsSlotsAndWantsNothing() {
        send(path);
        send(path);
        path.open();
        send(other);
        path.discard();
        assertThat(slab.available()).isEqualTo(63);
        assertThat(path.unacked()).isZero();
        assertThat(path.onDeadline(nowNs + 1_000_000, PEER_DELAY_NS, this)).isZero();
        assertThat(path.isProbeWanted()).isFalse();
        assertThat(table.pending().hasUnacked()).as("of the other path").isTrue();
        other.discard();
        assertThat(slab.available()).isEqualTo(64);
        assertThat(table.pending().hasUnacked()).isFalse();
    }

    // ---- what waits

    @Test
    void probesThatAreWantedAreKnownWithoutAskingEveryPath() {
        assertThat(table.pending().hasProbes()).isFalse();
        path.wantProbe();
        path.wantProbe(); // one wish
        other.wantProbe();
        path.probed();
        assertThat(table.pending().hasProbes()).isTrue();
        other.probed();
        assertThat(table.pending().hasProbes()).isFalse();
        other.probed(); // for another reason: nobody wanted it
        assertThat(table.pending().hasProbes()).isFalse();
        path.wantProbe();
        assertThat(table.pending().hasProbes()).isTrue();
    }

    @Test
    @Covers("R-LOSS-006")
    void aProbePassesASlotAsAnyTransmissionDoes() {
        // Proof first, then a tolerance of one: the slot and nothing but probes behind it.
        int first = send(path);
        int second = send(path);
        evidence(0, "01", second);
        path.sent(nowNs, path.nextResend(), path.takeStamp(nowNs), 1_000, PEER_DELAY_NS, Tail.LAST);
        path.merge(nowNs, Blocks.of(2, "", first, 0), this);
        assertThat(path.reorderPackets()).isEqualTo(1);
        send(path);
        probe();
        int last = probe();
        evidence(2, "", last);
        assertThat(path.queued()).isEqualTo(1);
    }

    // ---- the small print

    private Path path(int id) {
        return new Path(id, table, 0, new Route(0, id, Address.ipv4(1, 1)));
    }

    private int send(Path on) {
        nowNs += 160;
        int stamp = on.takeStamp(nowNs);
        on.sent(nowNs, on.open(), stamp, 1_000, PEER_DELAY_NS, Tail.LAST);
        return stamp;
    }

    private int probe() {
        nowNs += 160;
        int stamp = path.takeStamp(nowNs);
        path.probed();
        return stamp;
    }

    private void timeout() {
        while (path.timeoutsInARow() == 0) {
            nowNs = path.deadlineNs();
            path.onDeadline(nowNs, PEER_DELAY_NS, this);
        }
        path.probed();
    }

    private void evidence(int cum, String bits, int echo) {
        PathBlock block = Blocks.of(cum, bits, echo, 0);
        path.merge(nowNs, block, this);
        path.onEvidence(nowNs, block, true, 256, PEER_DELAY_NS, this);
    }

    @Override
    public void acked(int slot) {}

    @Override
    public void lost(int slot) {}
}
