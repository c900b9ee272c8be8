package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.Test;

/** How long ways are, whatever stands in them. */
class WayLengthsTest {
    private static final long RTT = 10_000;
    private static final int[] LONGER = {0, 2_000, 7_000};

    private final PathWindows windows = new PathWindows(3, Rig.Q);
    private final WayLengths ways = new WayLengths(windows);
    private final long[] baseNs = new long[3];
    private long nowNs;

    WayLengthsTest() {
        for (int path = 0; path < 3; path++) {
            windows.activate(path);
            ways.onActivated(path);
        }
    }

    @Test
    @Covers("R-CC-019")
    void withoutQueuesItIsTheDifferenceOfTheBases() {
        rounds(3, 0, 0);
        assertThat(ways.meanNs()).isZero();
        rounds(1, 0, 0);
        assertThat(ways.meanNs()).isEqualTo(3_000);
    }

    @Test
    void aQueueThatStoodFromTheBeginningMakesNoWayLonger() {
        baseNs[0] = RTT;
        // Only the first path has ever been measured without a queue.
        rounds(100, 20_000, 20_000);
        assertThat(ways.meanNs()).isEqualTo(3_000);
    }

    @Test
    void aQueueOfOnePathAloneMakesItsWayNoLongerThanItsBase() {
        rounds(10, 0, 0);
        rounds(200, 0, 9_000);
        assertThat(ways.meanNs()).isEqualTo(3_000);
    }

    @Test
    void pathsThatRestOrHaveLeftTheirRouteDoNotCount() {
        rounds(10, 0, 0);
        ways.onDeactivated(2);
        windows.deactivate(2);
        assertThat(ways.meanNs()).isEqualTo(1_000);
        ways.forget(1);
        assertThat(ways.meanNs()).isZero();
        windows.activate(2);
        ways.onActivated(2);
        assertThat(ways.meanNs()).isEqualTo(3_500);
    }

    @Test
    void aWayThatBecomesLongerCountsOnceItsShortRoundsAreForgotten() {
        evenRounds(40, 0);
        // The short ones are among rounds 33 to 64, which count until the end of as many more.
        evenRounds(96 - 40, 6_000);
        assertThat(ways.meanNs()).isZero();
        evenRounds(1, 6_000);
        assertThat(ways.meanNs()).isEqualTo(2_000);
    }

    /** Rounds without queues of three ways, of which the last is so much longer than the others. */
    private void evenRounds(int count, long longerNs) {
        for (int i = 0; i < count; i++) {
            for (int path = 0; path < 3; path++) {
                long rttNs = RTT + (path == 2 ? longerNs : 0);
                windows.baseRtt(path, rttNs);
                ways.onSample(nowNs, rttNs, RTT);
                ways.onRound(path, 0);
            }
            nowNs += RTT;
        }
    }

    /** Rounds of all paths, with a queue for all and another one for the last. */
    private void rounds(int count, long queueNs, long lastQueueNs) {
        for (int i = 0; i < count; i++) {
            for (int path = 0; path < 3; path++) {
                long rttNs = RTT + LONGER[path] + (path == 2 ? lastQueueNs : queueNs);
                baseNs[path] = baseNs[path] == 0 ? rttNs : Math.min(baseNs[path], rttNs);
                windows.baseRtt(path, baseNs[path]);
                ways.onSample(nowNs, rttNs, RTT);
                ways.onRound(path, (int) (rttNs - baseNs[path]));
            }
            nowNs += RTT;
        }
    }
}
