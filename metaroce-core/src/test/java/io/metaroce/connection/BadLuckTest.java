package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import io.metaroce.num.SplitMix64;
import io.metaroce.path.CandidateState;
import io.metaroce.path.InboundPath;
import io.metaroce.path.LossTest;
import io.metaroce.trace.TransportEvents;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Eight paths; what each loses is told by the test. */
class BadLuckTest {
    private static final int PATHS = 8;
    private static final int FOUR_PERCENT_Q16 = (1 << 16) / 25;

    private final Rig a = Rig.a(PATHS, 1);
    private final Shared shared = a.shared(TransportEvents.NONE);
    private final OwnRoutes routes = a.keeping(TransportEvents.NONE).routes;
    private final BadLuck luck =
            new BadLuck(a.paths, a.congestion, routes, new FreshRoutes(a.paths, a.agreement, shared), a.scratch);
    private final Rig b = Rig.b(PATHS, 1);
    private long nowNs = 1_000_000;
    private int sent; // on each path

    /** Against medians of sorted lists. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    @Covers("R-HEALTH-008")
    void hopelessIsWhoLosesFarMoreThanTheOthers(long seed) {
        SplitMix64 chance = new SplitMix64(seed);
        LossTest losses = a.paths.losses();
        boolean[] isBad = new boolean[PATHS];
        for (int path = 0; path < PATHS; path++) {
            isBad[path] = chance.nextInt(3) == 0;
        }
        for (int round = 0; round < 40; round++) {
            for (int path = 0; path < PATHS; path++) {
                losses.onReport(path, chance.nextInt(20), chance.nextInt(isBad[path] ? 12 : 2), false);
            }
            for (int path = 0; path < PATHS; path++) {
                List<Integer> averages = new ArrayList<>();
                List<Integer> scores = new ArrayList<>();
                for (int other = 0; other < PATHS; other++) {
                    averages.add(losses.averageQ16(other));
                    if (other != path) {
                        scores.add(losses.score(other));
                    }
                }
                averages.sort(null);
                scores.sort(null);
                boolean must = losses.score(path) > LossTest.LIMIT
                        && losses.averageQ16(path) > averages.get((PATHS - 1) / 2) + FOUR_PERCENT_Q16
                        && scores.get((PATHS - 2) / 2) <= LossTest.LIMIT / 2;
                assertThat(luck.isHopeless(a.paths.outbound(path))).isEqualTo(must);
            }
        }
    }

    @Test
    @Covers("R-HEALTH-008")
    void whatStartsEverywhereAtOnceIsTheNetwork() {
        lose(0, 40);
        assertThat(luck.isHopeless(a.paths.outbound(0))).isTrue();
        for (int path = 1; path <= PATHS / 2; path++) {
            lose(path, 3);
        }
        assertThat(luck.isHopeless(a.paths.outbound(0))).isFalse();
    }

    @Test
    @Covers("R-HEALTH-008")
    void aPathAloneIsNeverHopeless() {
        Rig one = Rig.a(1, 1);
        BadLuck alone = new BadLuck(
                one.paths,
                one.congestion,
                one.keeping(TransportEvents.NONE).routes,
                new FreshRoutes(one.paths, one.agreement, one.shared(TransportEvents.NONE)),
                one.scratch);
        one.paths.losses().onReport(0, 0, 1_000, false);
        assertThat(alone.isHopeless(one.paths.outbound(0))).isFalse();
    }

    @Test
    @Covers("R-HEALTH-010")
    void whoLosesMoreThanFourPercentAndFourTimesTheUsualDrawsAnotherEntropyOnce() {
        long window = a.congestion.windowBytes(3);
        average(3, FOUR_PERCENT_Q16);
        look();
        assertThat(isTesting(3)).as("not more than four percent").isFalse();
        lose(3, 1);
        nowNs += 1_000_000;
        look();
        assertThat(isTesting(3)).isTrue();
        assertThat(a.congestion.windowBytes(3)).isEqualTo(Math.max(window / 4, 4218));
        // Once on this route, whatever it goes on losing.
        a.paths.outbound(3).candidate().done();
        long left = a.congestion.windowBytes(3);
        nowNs += 1_000_000;
        look();
        assertThat(a.congestion.windowBytes(3)).isEqualTo(left);
    }

    @Test
    @Covers("R-HEALTH-010")
    void fourTimesWhatMostLoseIsMuch() {
        for (int path = 0; path < 5; path++) {
            average(path, 2 * FOUR_PERCENT_Q16);
        }
        average(7, 7 * FOUR_PERCENT_Q16);
        look();
        assertThat(isTesting(7)).isFalse();
        average(7, 9 * FOUR_PERCENT_Q16);
        nowNs += 1_000_000;
        look();
        assertThat(isTesting(7)).isTrue();
        assertThat(isTesting(0)).isFalse();
    }

    @Test
    @Covers("R-HEALTH-010")
    void onePathInEightRoundTripsAndOneLookARoundTrip() {
        average(1, 3 * FOUR_PERCENT_Q16);
        average(2, 3 * FOUR_PERCENT_Q16);
        long began = nowNs;
        look();
        assertThat(isTesting(1)).isTrue();
        long rttNs = a.paths.outbound(0).smoothedRttNs();
        while (nowNs < began + 8 * rttNs - 1) {
            nowNs = Math.min(nowNs + rttNs, began + 8 * rttNs - 1);
            look();
            assertThat(isTesting(2)).isFalse();
        }
        nowNs += rttNs;
        look();
        assertThat(isTesting(2)).isTrue();
    }

    @Test
    @Covers("R-HEALTH-010")
    void betweenTwoLooksARoundTripPasses() {
        look();
        average(1, 3 * FOUR_PERCENT_Q16);
        nowNs += a.paths.outbound(0).smoothedRttNs() - 1;
        look();
        assertThat(isTesting(1)).isFalse();
        nowNs++;
        look();
        assertThat(isTesting(1)).isTrue();
    }

    @Test
    @Covers("R-HEALTH-010")
    void markedAloneForFourRoundsItDrawsAnotherEntropyByTheTossOfACoin() {
        for (int round = 0; round < 3; round++) {
            markedRound(8, 0);
            assertThat(isTesting(3)).as("round %d", round).isFalse();
        }
        int more = 0;
        while (!isTesting(3) && more < 16) {
            markedRound(8, 0);
            more++;
        }
        assertThat(more).isBetween(1, 15);
    }

    @Test
    @Covers("R-HEALTH-010")
    void aFewMarksOnMostPathsDoNotExcuseTheOne() {
        for (int round = 0; round < 20; round++) {
            markedRound(4, 1);
        }
        assertThat(isTesting(3)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"8, 2", "3, 0", "8, 8"})
    @Covers("R-HEALTH-010")
    void whatMostPathsSufferAndWhatIsLessThanHalfIsNoCollision(int marked, int others) {
        for (int round = 0; round < 20; round++) {
            markedRound(marked, others);
        }
        for (int path = 0; path < PATHS; path++) {
            assertThat(isTesting(path)).isFalse();
        }
    }

    /** Eight packets on each path; so many of them come marked on path 3, so many on every other one. */
    private void markedRound(int marked, int others) {
        nowNs += 1_000_000;
        for (int path = 0; path < PATHS; path++) {
            for (int i = 0; i < 8; i++) {
                a.send(nowNs + 16L * i, path);
                InboundPath inbound = b.paths.inbound(path);
                inbound.onSlot(a.agreement.firstSendPsn(path) + sent + i);
                boolean isMarked = i < (path == 3 ? marked : others);
                inbound.onStamp(
                        nowNs + 4_000,
                        (int) (nowNs >> 4) + i,
                        a.paths.outbound(path).epoch(),
                        isMarked);
            }
        }
        sent += 8;
        b.writer.write(nowNs + 4_000, b.out, Minifloat.HINT_NONE, 1, 0);
        a.reader.onReport(nowNs + 8_000, b.written(), AckReader.Kind.ACK);
        nowNs += 8_000;
        look();
    }

    private void look() {
        luck.onReport(nowNs);
    }

    private boolean isTesting(int path) {
        return a.paths.outbound(path).candidate().state() != CandidateState.NONE;
    }

    private void lose(int path, int packets) {
        a.paths.losses().onReport(path, 0, packets, false);
    }

    // As many losses in a row as leave the average at the limit or just below.
    private void average(int path, int limitQ16) {
        int average = a.paths.losses().averageQ16(path);
        while (average + (((1 << 16) - average) >> 8) <= limitQ16) {
            lose(path, 1);
            average = a.paths.losses().averageQ16(path);
        }
    }
}
