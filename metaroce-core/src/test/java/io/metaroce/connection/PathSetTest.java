package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Route;
import io.metaroce.num.Deadline;
import io.metaroce.path.PathEvent;
import io.metaroce.path.Rebind;
import io.metaroce.path.TxSlots;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PathSetTest {
    @Test
    void pathsAreSharedOutAmongPlanesInTurn() {
        PathSet paths = Rig.a(8, 4).paths;
        for (int i = 0; i < 8; i++) {
            assertThat(paths.outbound(i).plane()).isEqualTo(i % 4);
            assertThat(paths.outbound(i).id()).isEqualTo(i);
        }
    }

    @Test
    @Covers("R-HDR-010")
    void everyRouteLeadsToTheAddressThePeerAdvertisesOnItsPlane() {
        Rig rig = Rig.a(8, 4);
        for (int i = 0; i < 8; i++) {
            assertThat(rig.paths.outbound(i).route().remote())
                    .isEqualTo(rig.agreement.planes().get(i % 4));
        }
    }

    @Test
    void sourcePortsOfAPlaneDifferWhileThePoolHasEnough() {
        PathSet paths = Rig.a(128, 2).paths;
        for (int plane = 0; plane < 2; plane++) {
            Set<Integer> entropies = new TreeSet<>();
            for (int i = plane; i < 128; i += 2) {
                entropies.add(paths.outbound(i).route().entropy());
            }
            assertThat(entropies).hasSize(64);
        }
    }

    @Test
    @Covers("R-PATH-001")
    void numbersBeginAtTheSeedAndAStridePerPath() {
        Rig rig = Rig.a(3, 1);
        for (int i = 0; i < 3; i++) {
            assertThat(rig.paths.outbound(i).nextPsn()).isEqualTo(rig.agreement.sendPsnSeed() + i * 0x9E3779B1);
        }
        assertThat(rig.agreement.firstReceivePsn(253))
                .isEqualTo(rig.agreement.receivePsnSeed() + (int) (253 * 0x9E3779B1L));
    }

    @Test
    void inboundPathsAreMadeWhenTheirFirstPacketComes() {
        PathSet paths = Rig.a(1, 1).paths;
        assertThat(paths.inboundOrNull(253)).isNull();
        assertThat(paths.inbound(253)).isSameAs(paths.inbound(253)).isSameAs(paths.inboundOrNull(253));
    }

    @Test
    void reportsRotateOverHealthyPaths() {
        PathSet paths = Rig.a(4, 1).paths;
        paths.outbound(1).on(PathEvent.SILENT, 0);
        Set<Integer> entropies = new TreeSet<>();
        for (int i = 0; i < 8; i++) {
            entropies.add(paths.nextReportRoute(-1).entropy());
        }
        assertThat(entropies)
                .hasSize(3)
                .doesNotContain(paths.outbound(1).route().entropy());
    }

    @Test
    @Covers("R-ACK-009")
    void aBorrowedRouteCountsOnceHoweverManyPathsTakeIt() {
        Rig rig = Rig.a(4, 1);
        for (int i = 1; i < 4; i++) {
            assertThat(rig.paths.outbound(i).routeNumber())
                    .isNotEqualTo(rig.paths.outbound(0).routeNumber());
        }
        for (int i = 1; i < 3; i++) {
            rig.paths.outbound(i).on(PathEvent.SILENT, 0);
            Rebind.borrow(0, rig.paths.outbound(i), rig.paths.outbound(0), new Forgets());
            assertThat(rig.paths.outbound(i).routeNumber())
                    .isEqualTo(rig.paths.outbound(0).routeNumber());
        }
        Route before = rig.paths.nextReportRoute(-1);
        for (int i = 0; i < 8; i++) {
            Route next = rig.paths.nextReportRoute(-1);
            assertThat(next).isNotEqualTo(before);
            before = next;
        }
    }

    private static final class Forgets implements TxSlots.Outcome {
        @Override
        public void acked(int slot) {}

        @Override
        public void lost(int slot) {}
    }

    @Test
    void reportsGoOnWhenNoPathIsHealthy() {
        PathSet paths = Rig.a(2, 1).paths;
        paths.outbound(0).on(PathEvent.SILENT, 0);
        paths.outbound(1).on(PathEvent.SILENT, 0);
        assertThat(paths.nextReportRoute(-1)).isNotNull();
    }

    @Test
    void itKnowsWhatIsUnacknowledgedAndWhenTheNextTimerIsDue() {
        Rig rig = Rig.a(4, 1);
        assertThat(rig.paths.hasUnacked()).isFalse();
        assertThat(rig.paths.deadlineNs()).isEqualTo(Deadline.NEVER);
        rig.send(5_000, 3);
        assertThat(rig.paths.hasUnacked()).isTrue();
        assertThat(rig.paths.deadlineNs()).isEqualTo(rig.paths.outbound(3).deadlineNs());
        rig.paths.discard();
        assertThat(rig.paths.hasUnacked()).isFalse();
        assertThat(rig.slab.available()).isEqualTo(rig.slab.capacity());
    }
}
