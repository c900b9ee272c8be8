package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    private static final long S = 1_000_000_000;
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
        assertThat(peer.probeAtNs(0b11)).isEqualTo(Deadline.NEVER);
        lose();
        assertThat(nextPauseUs()).isEqualTo(LEAST_US);
    }

    @Test
    void itIsBackAfterThreeAnswersInARow() {
        lose();
        assertThat(answersUntilBack()).isEqualTo(3);
    }

    @Test
    void anAnswerThatIsMissingMakesItBeginAgain() {
        lose();
        ask();
        peer.onEcho(nowNs, LOST);
        ask();
        peer.onEcho(nowNs, LOST);
        ask(); // is not answered
        assertThat(answersUntilBack()).isEqualTo(3);
    }

    @Test
    void anAnswerThatComesTwiceCountsOnce() {
        lose();
        ask();
        for (int i = 0; i < 5; i++) {
            peer.onEcho(nowNs, LOST);
        }
        assertThat(peer.isDown(LOST)).isTrue();
        assertThat(answersUntilBack()).isEqualTo(2);
    }

    @Test
    void whoIsLostAgainWithinASecondMustAnswerTwiceAsOftenUpToABound() {
        List<Integer> answers = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            lose();
            answers.add(answersUntilBack());
        }
        assertThat(answers).containsExactly(3, 6, 12, 24, 48, 64, 64);
        nowNs += S;
        lose();
        assertThat(answersUntilBack()).isEqualTo(3);
    }

    @Test
    void onePlaneSaysNothingAboutAnother() {
        lose();
        assertThat(peer.isDown(0)).isFalse();
        assertThat(peer.up() & 0b11).isEqualTo(0b01);
        ask();
        peer.onEcho(nowNs, 0);
        assertThat(answersUntilBack()).isEqualTo(3);
        assertThat(peer.up() & 0b11).isEqualTo(0b11);
    }

    @Test
    void aPlaneThatIsUpIsNotAsked() {
        assertThat(peer.probeAtNs(0b11)).isEqualTo(Deadline.NEVER);
        assertThat(peer.takeProbe(nowNs, LOST, RTT_NS)).isFalse();
    }

    @Test
    void aFarPeerIsAskedEverySixteenRoundTripsAndANearOneNotTooOften() {
        assertThat(peer.everyNs(100 * US)).isEqualTo(1_600 * US);
        assertThat(peer.everyNs(1)).isEqualTo(config.plane().probeMinNs());
        assertThat(peer.everyNs(S)).isEqualTo(MOST_US * US);
    }

    @Test
    void whoeverChangesTimersOfOthersIsCounted() {
        long before = table.changes();
        lose();
        assertThat(table.changes()).isGreaterThan(before);
        before = table.changes();
        ask();
        assertThat(table.changes()).isGreaterThan(before);
        peer.onEcho(nowNs, LOST);
        assertThat(table.changes()).isEqualTo(before + 1);
        answersUntilBack();
        assertThat(table.changes()).isGreaterThan(before + 2);
    }

    @Test
    void aPlaneThatIsNoneIsNamed() {
        assertThatThrownBy(() -> table.down(0, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("plane 2: this endpoint has planes 0..1");
        assertThatThrownBy(() -> table.up(0, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(table.carrier()).isEqualTo(0b11);
    }

    @Test
    void anOwnPortThatIsLostTakesNothingIn() {
        table.down(0, LOST);
        assertThat(table.carrier()).isEqualTo(0b01);
        table.down(0, LOST);
        assertThat(table.carrier()).isEqualTo(0b01);
        table.up(0, LOST);
        assertThat(table.carrier()).isEqualTo(0b11);
    }

    private void ask() {
        assertThat(nextPauseUs()).isPositive();
    }

    /** Every question is answered at once; how many answers it took. */
    private int answersUntilBack() {
        int answers = 0;
        while (peer.isDown(LOST) && answers < 1_000) {
            ask();
            peer.onEcho(nowNs, LOST);
            answers++;
        }
        return answers;
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
        nowNs = peer.probeAtNs(0b11);
        assertThat(peer.takeProbe(nowNs - 1, LOST, RTT_NS)).isFalse();
        assertThat(peer.takeProbe(nowNs, LOST, RTT_NS)).isTrue();
        return (peer.probeAtNs(0b11) - nowNs) / US;
    }
}
