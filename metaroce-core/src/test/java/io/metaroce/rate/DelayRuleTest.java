package io.metaroce.rate;

import static io.metaroce.rate.Rig.Q;
import static io.metaroce.rate.Rig.RTT;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How windows answer to delay and loss where no mark will come. D_q is one round trip here. */
class DelayRuleTest {
    private final Rig rig = new Rig(4);

    @BeforeEach
    void noMarksWillCome() {
        rig.control.peerReadsMarks(false);
        rig.hint(Rig.LINE);
    }

    @Test
    void aQueueThatNoPathCanAvoidSlowsTheConnection() {
        settle(0);
        long before = rig.control.windowBytes();
        // Three round trips too many are twice the wanted queue and more: a quarter less in every round.
        settle(3 * RTT);
        assertThat(rig.control.windowBytes()).isLessThan(before * 3 / 4);
    }

    @Test
    void aQueueWithinTheWantedDelayDoesNot() {
        settle(0);
        long before = rig.control.windowBytes();
        settle(RTT);
        assertThat(rig.control.windowBytes()).isGreaterThanOrEqualTo(before);
    }

    @Test
    @Covers("R-CC-004")
    void aQueueOfOnePathAloneSlowsThatPathAndTurnsPacketsAway() {
        settle(0);
        long connection = rig.control.windowBytes();
        long other = rig.control.windowBytes(1);
        long lonely = rig.control.windowBytes(0);
        for (int i = 0; i < 3; i++) {
            for (int path = 0; path < 4; path++) {
                rig.srttNs = RTT + (path == 0 ? 3 * RTT : 0);
                rig.send(path, 1).ack(path, 1);
            }
            rig.after(5 * RTT);
        }
        rig.srttNs = 4 * RTT;
        rig.send(0, 1).ack(0, 1);
        assertThat(rig.control.isHot(rig.nowNs, 0)).isTrue();
        assertThat(rig.control.windowBytes(0)).isLessThan(lonely * 3 / 4 + Q);
        assertThat(rig.control.windowBytes(1)).isGreaterThanOrEqualTo(other);
        assertThat(rig.control.windowBytes()).isGreaterThanOrEqualTo(connection);
    }

    @Test
    @Covers("R-CC-007")
    void withAQueueInSightALostByteTakesHalfAByteFromBothWindows() {
        settle(RTT / 2);
        long connection = rig.control.windowBytes();
        long path = rig.control.windowBytes(1);
        rig.send(1, 2).lose(1, 2);
        assertThat(rig.control.windowBytes()).isEqualTo(connection - Q);
        assertThat(rig.control.windowBytes(1)).isEqualTo(path - Q);
    }

    @Test
    @Covers("R-CC-006")
    void withNoQueueInSightALossCostsItsPathOnly() {
        settle(0);
        settle(0);
        long connection = rig.control.windowBytes();
        long path = rig.control.windowBytes(1);
        rig.send(1, 2).lose(1, 2);
        assertThat(rig.control.windowBytes()).isEqualTo(connection);
        assertThat(rig.control.windowBytes(1)).isEqualTo(path - Q);
    }

    @Test
    void tooMuchLossIsNoChanceWhateverTheDelay() {
        for (int i = 0; i < 20; i++) {
            rig.srttNs = RTT;
            rig.send(0, 3).send(1, 1).block(0, 2, 0, 1).ack(1, 1).after(RTT + 1);
        }
        long connection = rig.control.windowBytes();
        rig.send(1, 2).lose(1, 2);
        assertThat(rig.control.windowBytes()).isLessThan(connection);
    }

    /** Some rounds in which every path has this much delay above its base. */
    private void settle(long excessNs) {
        rig.srttNs = RTT + excessNs;
        for (int i = 0; i < 6; i++) {
            for (int path = 0; path < 4; path++) {
                rig.send(path, 1).ack(path, 1);
            }
            rig.after(rig.srttNs + 1);
            rig.hint(Rig.LINE);
        }
    }
}
