package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.num.Deadline;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.rate.FairShare;
import io.metaroce.sim.Addressing;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often a lost plane is asked whether it is back. */
class PeerPlanesTest {
    private static final int LOST = 1;
    private static final long US = 1_000;
    private static final long RTT_NS = 10 * US;
    private static final long LEAST_US = 16 * 10; // round trips
    private static final long MOST_US = 50_000;

    private final EndpointConfig config = Profiles.model();
    private final PlaneTable table = new PlaneTable(2, config.plane(), new FairShare(config.rate()), 1_000_000);
    private final PeerPlanes peer = new PeerPlanes(table, config.plane(), Addressing.of(0, 1));
    private long nowNs;

    @Test
    void thatOfAPeerThatLivesIsAskedAgainAndAgain() {
        lose();
        for (int i = 0; i < 20; i++) {
            hear();
            assertThat(nextPauseUs()).isEqualTo(LEAST_US);
        }
    }

    @Test
    void thatOfAPeerThatSaysNothingIsAskedAfterPausesThatDouble() {
        lose();
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            pauses.add(nextPauseUs());
        }
        assertThat(pauses)
                .containsExactly(
                        LEAST_US, 320L, 640L, 1_280L, 2_560L, 5_120L, 10_240L, 20_480L, 40_960L, MOST_US, MOST_US);
    }

    @Test
    void oneWordOfThePeerAndItIsAskedAsOftenAsAtFirst() {
        lose();
        for (int i = 0; i < 6; i++) {
            assertThat(nextPauseUs()).isEqualTo(LEAST_US << i);
        }
        hear();
        assertThat(nextPauseUs()).isEqualTo(LEAST_US);
        assertThat(nextPauseUs()).isEqualTo(2 * LEAST_US);
    }

    @Test
    void aPlaneThatIsLostOnceMoreIsAskedAsOftenAsAtFirst() {
        lose();
        for (int i = 0; i < 6; i++) {
            assertThat(nextPauseUs()).isEqualTo(LEAST_US << i);
        }
        peer.onEcho(nowNs, LOST);
        for (int i = 1; i < 3; i++) {
            assertThat(nextPauseUs()).isPositive();
            peer.onEcho(nowNs, LOST);
        }
        assertThat(peer.isDown(LOST)).isFalse();
        assertThat(peer.probeAtNs()).isEqualTo(Deadline.NEVER);
        lose();
        assertThat(nextPauseUs()).isEqualTo(LEAST_US);
    }

    private void hear() {
        nowNs += US;
        peer.heard(nowNs);
    }

    private void lose() {
        hear();
        nowNs += US;
        peer.down(nowNs, LOST);
    }

    /** The question that is due is asked; how long the next one waits. */
    private long nextPauseUs() {
        nowNs = peer.probeAtNs();
        assertThat(peer.takeProbe(nowNs - 1, LOST, RTT_NS)).isFalse();
        assertThat(peer.takeProbe(nowNs, LOST, RTT_NS)).isTrue();
        return (peer.probeAtNs() - nowNs) / US;
    }
}
