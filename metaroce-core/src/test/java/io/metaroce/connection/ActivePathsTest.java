package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.num.Entropy;
import io.metaroce.num.Minifloat;
import io.metaroce.num.SplitMix64;
import io.metaroce.path.PathEvent;
import io.metaroce.rate.CongestionControl;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ActivePathsTest {
    private static final int Q = 4096 + CongestionControl.PACKET_OVERHEAD_BYTES;
    private final Rig rig = Rig.a(32, 1);
    private final int busy = (int) (rig.congestion.windowBytes() / (2 * Q)) + 1;
    private final ActivePaths active = active(rig, 1);

    @Test
    void asManyAsTheWindowKeepsBusyAreActive() {
        assertThat(busy).isBetween(2, 31);
        assertThat(members()).hasSize(busy);
    }

    @Test
    void aSmallConnectionHasAllPathsActive() {
        Rig small = Rig.a(2, 1);
        ActivePaths all = active(small, 1);
        assertThat(all.contains(0)).isTrue();
        assertThat(all.contains(1)).isTrue();
    }

    @Test
    void everyPlaneHasAnActivePath() {
        Rig wide = Rig.a(32, 16);
        ActivePaths set = active(wide, 16);
        for (int round = 0; round < 64; round++) {
            Set<Integer> planes = new TreeSet<>();
            for (int i = 0; i < 32; i++) {
                if (set.contains(i)) {
                    planes.add(wide.paths.outbound(i).plane());
                }
            }
            assertThat(planes).hasSize(16);
            update(set, round * Rig.RTT_NS);
        }
    }

    @Test
    void theSetMovesOnByOnePathARoundTripAndReachesEveryPath() {
        Set<Integer> before = members();
        update(active, Rig.RTT_NS - 1);
        assertThat(members()).isEqualTo(before);
        Set<Integer> seen = new TreeSet<>(before);
        for (int round = 1; round < 32; round++) {
            update(active, round * Rig.RTT_NS);
            Set<Integer> now = members();
            assertThat(now).hasSize(busy);
            Set<Integer> common = new TreeSet<>(now);
            common.retainAll(before);
            assertThat(common).hasSize(busy - 1);
            before = now;
            seen.addAll(now);
        }
        assertThat(seen).hasSize(32);
    }

    @Test
    void aSetThatHasFallenSilentIsLeftAtOnce() {
        for (int member : members()) {
            rig.paths.outbound(member).on(PathEvent.SILENT, 10);
        }
        update(active, 20);
        assertThat(members()).anyMatch(i -> rig.paths.outbound(i).hasRoom());
    }

    @Test
    void whenEverythingIsSilentItStaysSomewhere() {
        for (int i = 0; i < 32; i++) {
            rig.paths.outbound(i).on(PathEvent.SILENT, 10);
        }
        update(active, 20);
        assertThat(members()).hasSize(busy);
    }

    @Test
    void theWindowsKnowExactlyTheSetHoweverItGrowsAndShrinks() {
        Entropy chance = new SplitMix64(3);
        for (int round = 1; round < 400; round++) {
            rig.congestion.onHint(round * Rig.RTT_NS, Minifloat.encodeHint(1L << (28 + chance.nextInt(8))));
            if (chance.nextInt(4) == 0) {
                rig.congestion.startWith(Rig.RTT_NS, chance.nextInt(600_000));
            }
            update(active, round * Rig.RTT_NS);
            Set<Integer> members = members();
            for (int i = 0; i < 32; i++) {
                assertThat(rig.congestion.isActive(i))
                        .as("path %d in round %d", i, round)
                        .isEqualTo(members.contains(i));
            }
        }
    }

    private Set<Integer> members() {
        Set<Integer> members = new TreeSet<>();
        for (int i = 0; i < 32; i++) {
            if (active.contains(i)) {
                members.add(i);
            }
        }
        return members;
    }

    private static ActivePaths active(Rig rig, int planes) {
        return new ActivePaths(0, rig.paths, rig.congestion, 4096, planes);
    }

    private static void update(ActivePaths active, long nowNs) {
        active.turn(nowNs);
        active.leaveSilent(nowNs);
    }
}
