package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Deadline;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.rate.FairShare;
import io.metaroce.sim.Addressing;
import io.metaroce.trace.TransportEvents;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the connections of an endpoint know of planes together. */
class PlaneTableTest {
    private static final int PLANE = 1;
    private static final long NOW = 100_000;
    private static final long INBOUND = 1_000_000_000;

    private final EndpointConfig config = Profiles.model();
    private final FairShare fairShare = new FairShare(config.rate());
    private final PlaneTable table = new PlaneTable(4, config.plane(), fairShare, INBOUND);

    @Test
    void connectionsToOnePeerShareAnEntryUntilTheLastIsGone() {
        PlaneWatch one = watch();
        PlaneWatch two = watch();
        PeerPlanes peer = table.join(Addressing.of(0, 1), one);
        assertThat(table.join(Addressing.of(0, 1), two)).isSameAs(peer);
        assertThat(table.join(Addressing.of(0, 2), watch())).isNotSameAs(peer);
        table.leave(peer, one);
        assertThat(table.join(Addressing.of(0, 1), one)).isSameAs(peer);
        table.leave(peer, one);
        table.leave(peer, two);
        assertThat(table.join(Addressing.of(0, 1), one)).isNotSameAs(peer);
    }

    @ParameterizedTest
    @CsvSource({"1, 0, false", "2, 0, true", "2, 1, true", "2, 2, false", "3, 1, true", "4, 2, true", "4, 3, false"})
    @Covers("R-PLANE-005")
    void aPlaneIsLostForAllWhenTwoThirdsOfTwoPeersAtLeastHaveLostIt(int lost, int others, boolean isForAll) {
        List<PeerPlanes> peers = new ArrayList<>();
        for (int i = 0; i < lost + others; i++) {
            peers.add(peer(i, NOW));
        }
        PeerPlanes quiet = peer(50, NOW - 1); // not heard lately: it has no vote, and shares the verdict
        for (int i = 0; i < lost; i++) {
            peers.get(i).down(NOW, PLANE);
        }
        table.onPeerLost(NOW, PLANE, NOW);
        assertThat(quiet.isDown(PLANE)).isEqualTo(isForAll);
        for (PeerPlanes peer : peers.subList(lost, lost + others)) {
            assertThat(peer.isDown(PLANE)).isEqualTo(isForAll);
            assertThat(peer.isDown(0)).isFalse();
        }
    }

    @Test
    @Covers("R-HINT-006")
    void whatALostPortTookInIsNoLongerShared() {
        table.down(0, PLANE);
        assertThat(fairShare.capacityBytesPerSecond()).isEqualTo(share(INBOUND * 3 / 4));
        table.down(0, 0);
        assertThat(fairShare.capacityBytesPerSecond()).isEqualTo(share(INBOUND / 2));
        table.up(0, PLANE);
        table.up(0, 0);
        assertThat(fairShare.capacityBytesPerSecond()).isEqualTo(share(INBOUND));
    }

    @Test
    @Covers("R-PLANE-008")
    void whoDoesNotHaveAPlaneNeitherVotesOnItNorIsAskedForIt() {
        List<PeerPlanes> have = List.of(peer(0, NOW), peer(1, NOW));
        PlaneWatch narrow = Rig.a(1, 1).keeping(TransportEvents.NONE).planes;
        PeerPlanes hasNot = table.join(Addressing.of(0, 2), narrow);
        hasNot.heard(NOW);
        have.forEach(peer -> peer.heard(NOW));
        PeerPlanes third = peer(3, NOW - 1);
        List<PeerPlanes> others = List.of(hasNot, table.join(Addressing.of(0, 4), narrow));
        others.forEach(peer -> peer.heard(NOW));
        have.forEach(peer -> peer.down(NOW, PLANE));
        table.onPeerLost(NOW, PLANE, NOW);
        assertThat(third.isDown(PLANE)).isTrue();
        assertThat(others).noneMatch(peer -> peer.isDown(PLANE));
    }

    @Test
    @Covers("R-PLANE-008")
    void aLostPlaneThatTheAskingConnectionDoesNotHaveLeavesItAtRest() {
        Rig rig = Rig.a(1, 1);
        PlaneWatch narrow = rig.keeping(TransportEvents.NONE).planes;
        PeerPlanes peer = table.join(rig.agreement.planes().get(0), narrow);
        peer.add(watch()); // to the same address, but with more planes
        peer.down(NOW, PLANE);
        assertThat(peer.probeAtNs(0b1)).isEqualTo(Deadline.NEVER);
        assertThat(peer.probeAtNs(0b1111)).isEqualTo(NOW);
    }

    private long share(long inbound) {
        FairShare other = new FairShare(config.rate());
        other.inboundBytesPerSecond(inbound);
        return other.capacityBytesPerSecond();
    }

    private PeerPlanes peer(int node, long heardNs) {
        PeerPlanes peer = table.join(Addressing.of(0, node), watch());
        peer.heard(heardNs);
        return peer;
    }

    private static PlaneWatch watch() {
        return Rig.a(4, 4).keeping(TransportEvents.NONE).planes;
    }
}
