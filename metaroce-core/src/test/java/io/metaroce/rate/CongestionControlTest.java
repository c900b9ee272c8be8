package io.metaroce.rate;

import static io.metaroce.rate.Rig.FULL_WINDOW;
import static io.metaroce.rate.Rig.LINE;
import static io.metaroce.rate.Rig.Q;
import static io.metaroce.rate.Rig.RTT;
import static io.metaroce.rate.Rig.US;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import io.metaroce.param.Profiles;
import io.metaroce.param.RateConfig;
import io.metaroce.rate.Rig.Marks;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Golden sequences: inputs on the left, exact windows on the right, worked out by hand from the laws. */
class CongestionControlTest {
    private static final long IW = 65_536; // BDP/8 is 75,000: the limit of one plane
    private static final long HINTED = FULL_WINDOW / 2 * 999_424 / 1_000_000; // the code of 400 Gbit/s is 0.06 % low

    @Test
    @Covers("R-CC-012")
    void aColdConnectionStartsWithAnEighthOfTheProduct() {
        Rig rig = new Rig(4);
        assertThat(rig.control.windowBytes()).isEqualTo(IW);
        assertThat(rig.windows()).containsExactly(24_576, 24_576, 24_576, 24_576);
        rig.fill();
        assertThat(rig.control.inFlightBytes()).isEqualTo(15 * Q);
        rig.after(100 * RTT);
        assertThat(rig.control.connectionHasRoom(rig.nowNs, Q)).isFalse();
    }

    @Test
    @Covers("R-CC-012")
    void thePeersBudgetIsALimit() {
        CongestionControl control = new CongestionControl(Profiles.model().rate(), 4, 4096);
        control.startWith(RTT, 10_000);
        control.activate(0);
        assertThat(control.windowBytes()).isEqualTo(10_000);
        control.onHint(0, Minifloat.encodeHint(LINE));
        assertThat(control.windowBytes()).isEqualTo(10_000);
    }

    @Test
    void theFirstWindowDependsOnPlanesAndFanIn() {
        CongestionControl control = new CongestionControl(Profiles.model().rate(), 4, 4096);
        control.planes(4);
        control.startWith(RTT, Long.MAX_VALUE);
        assertThat(control.windowBytes()).isEqualTo(75_000);
        control.startWith(1_000, Long.MAX_VALUE);
        assertThat(control.windowBytes()).isEqualTo(4 * Q);
        RateConfig fanIn = new RateConfig(LINE, LINE, 0, 0, 0, 60, true);
        control = new CongestionControl(fanIn, 4, 4096);
        control.startWith(RTT, Long.MAX_VALUE);
        assertThat(control.windowBytes()).isEqualTo(10_000);
    }

    @Test
    void aShareKnownBeforeTheFirstPacketReplacesTheBlindWindow() {
        Rig rig = new Rig(4).hint(LINE / 100);
        long share = Minifloat.decodeHint(Minifloat.encodeHint(LINE / 100));
        assertThat(rig.control.windowBytes()).isEqualTo(share * 12 / 1_000_000 + Q);
    }

    @Test
    @Covers("R-HINT-017")
    void answersToManyRequestsAtOnceBeginSpreadOverThePacketsTime() {
        int share = Minifloat.encodeHint(LINE / 1000);
        long packetNs = Q * 1_000_000_000L / Minifloat.decodeHint(share);
        long[] beginNs = new long[1000];
        for (int i = 0; i < beginNs.length; i++) {
            Rig rig = new Rig(4);
            rig.control.onRequestedHint(rig.nowNs, share, 64_000, i);
            beginNs[i] = rig.control.nextDepartureNs() - rig.nowNs;
        }
        Arrays.sort(beginNs);
        for (int i = 0; i < beginNs.length; i++) {
            assertThat(beginNs[i]).isBetween(packetNs * (i - 3) / 1000, packetNs * (i + 4) / 1000);
        }
    }

    @Test
    @Covers("R-HINT-017")
    void ofAShareOfMoreThanAPacketARoundTripNobodyWaits() {
        Rig rig = new Rig(4);
        rig.control.onRequestedHint(rig.nowNs, Minifloat.encodeHint(LINE / 100), 64_000, 1 << 30);
        assertThat(rig.control.paceAllows(rig.nowNs)).isTrue();
        rig = new Rig(4);
        rig.control.onRequestedHint(rig.nowNs, Minifloat.encodeHint(LINE / 1000), 100, 1 << 30);
        assertThat(rig.control.paceAllows(rig.nowNs)).isTrue();
    }

    @Test
    void aShorterRoundTripAfterARestCountsHalf() {
        SenderState state = new SenderState(Profiles.model().rate(), 4, Q);
        state.srttNs(3 * RTT);
        state.onRttSample(13 * RTT, RTT, false);
        assertThat(state.srttNs()).isEqualTo(2 * RTT);
        state.onRttSample(21 * RTT, RTT, false);
        assertThat(state.srttNs()).as("one in four round trips").isEqualTo(2 * RTT - RTT / 16);
        state.srttNs(RTT);
        state.onRttSample(40 * RTT, 3 * RTT, false);
        assertThat(state.srttNs()).as("a queue is believed slowly").isEqualTo(RTT + RTT / 8);
        state.onRttSample(60 * RTT, RTT, true);
        assertThat(state.srttNs()).as("steered by delay").isEqualTo(RTT + RTT / 8 - (RTT / 8 / 16 + 1));
    }

    @Test
    @Covers("R-CC-012")
    void aShareHeardBeforeTheFirstAckDoesNotJump() {
        Rig rig = new Rig(4).fill().hint(LINE / 10);
        long share = Minifloat.decodeHint(Minifloat.encodeHint(LINE / 10));
        assertThat(rig.control.windowBytes()).isEqualTo(share * 12 / 1_000_000 + Q);
        rig = new Rig(4).hint(LINE / 100).after(50 * RTT);
        long window = rig.control.windowBytes();
        assertThat(rig.control.connectionHasRoom(rig.nowNs, Q)).isTrue();
        assertThat(rig.control.windowBytes()).isEqualTo(window);
    }

    @Test
    void theFirstHintAfterACleanStartJumpsToHalfTheFairWindow() {
        Rig rig = new Rig(4).fill().after(RTT).ack(0, 1).hint(LINE);
        assertThat(rig.control.windowBytes()).isEqualTo(374_784).isEqualTo(HINTED);
        assertThat(rig.windows()).containsExactly(140_544, 140_544, 140_544, 140_544);
        rig.hint(LINE);
        assertThat(rig.control.windowBytes()).isEqualTo(374_784);
    }

    @Test
    void afterAMarkTheFirstHintDoesNotJump() {
        Rig rig = new Rig(4).fill().after(RTT).ackMarked(0, 1).hint(LINE);
        assertThat(rig.control.windowBytes()).isEqualTo(IW);
    }

    @Test
    @Covers("R-CC-010")
    void growthIsProportionalToWhatWasAcknowledgedInAFullWindow() {
        Rig rig = started(4).fill();
        long window = rig.control.windowBytes();
        rig.after(RTT).ack(0, 10);
        // One round has ended since the start: k = 1. A = 749,568/16*2 = 93,696; 93,696 * 42,180 / 374,784.
        assertThat(rig.control.windowBytes()).isEqualTo(window + 10_545);
        // The path was not full: the windows of the paths add up to one and a half of the connection's.
        assertThat(rig.windows()).containsExactly(140_544, 140_544, 140_544, 140_544);
    }

    @Test
    @Covers("R-CC-010")
    void aWindowThatIsNotUsedStays() {
        Rig rig = started(4);
        long window = rig.control.windowBytes();
        for (int i = 0; i < 100; i++) {
            rig.send(i % 4, 10).after(RTT).ack(i % 4, 10).hint(LINE);
        }
        assertThat(rig.control.windowBytes()).isEqualTo(window);
        assertThat(rig.windows()).containsExactly(140_544, 140_544, 140_544, 140_544);
    }

    @Test
    @Covers("R-CC-011")
    void whatOthersHaveKeepsNoPathFromAnEqualPart() {
        Rig rig = started(4);
        rig.control.quarter(0);
        // The others take turns, and what has become free.
        for (int round = 0; round < 60; round++) {
            useAlone(rig, 1 + round % 3);
        }
        long[] before = rig.windows();
        assertThat(Arrays.stream(before).sum()).isGreaterThan(3 * rig.control.windowBytes() / 2);
        assertThat(before[0]).isLessThan(rig.control.windowBytes() / 4);
        useAlone(rig, 1);
        assertThat(rig.windows()).as("more than an equal part").isEqualTo(before);
        for (int round = 0; round < 60; round++) {
            useAlone(rig, 0);
        }
        assertThat(rig.windows()[0])
                .isBetween(
                        rig.control.windowBytes() / 4, rig.control.windowBytes() / 4 + rig.control.windowBytes() / 8);
    }

    private static void useAlone(Rig rig, int path) {
        int packets = 0;
        while (rig.control.connectionHasRoom(rig.nowNs, Rig.Q) && rig.control.pathHasRoom(path, Rig.Q)) {
            rig.send(path, 1);
            packets++;
        }
        rig.hint(LINE).after(RTT).ack(path, packets);
    }

    @Test
    void blocksOfOneReportAllSeeTheWindowAsItWasBeforeTheReport() {
        Rig one = started(4).fill().after(RTT).ack(0, 4).ack(1, 4).ack(2, 4).ack(3, 4);
        Rig other = started(4).fill().after(RTT);
        long before = other.control.windowBytes();
        assertThat(one.control.windowBytes() - before).isBetween(4 * 4_000L, 4 * 4_300L);
    }

    @Test
    void growthNeverPassesOneAndAHalfProducts() {
        Rig rig = started(4);
        for (int i = 0; i < 50; i++) {
            rig.hint(LINE).roundTrip(Marks.NONE);
        }
        // The receiver's share bounds what is in flight, so the window stays unused beyond it.
        assertThat(rig.control.windowBytes()).isBetween(FULL_WINDOW, 900_000L);
    }

    @Test
    @Covers({"R-CC-001", "R-CC-004"})
    void aMarkTrimsItsPathToItsUseAndByAQuarterOfTheMarkedBytesAndNothingElse() {
        Rig rig = started(4).fill().after(RTT).block(2, 10, 4, 0);
        // m = 42,180 * 4/10 = 16,872; a quarter is 4,218. Of the window 22 packets were used, and two more are left.
        assertThat(rig.windows()).containsExactly(140_544, 140_544, (22 + 2) * Q - 4_218, 140_544);
        assertThat(rig.control.windowBytes()).isEqualTo(HINTED);
        assertThat(rig.control.isHot(rig.nowNs, 2)).isTrue();
        assertThat(rig.control.hotUntilNs(2)).isEqualTo(rig.nowNs + RTT);
        assertThat(rig.control.isHot(rig.nowNs, 1)).isFalse();
        assertThat(rig.control.isHot(rig.nowNs + RTT, 2)).isFalse();
    }

    @Test
    @Covers("R-CC-016")
    void aMarkTakesWhatAPathHasBeyondItsUse() {
        // Ten packets of a window of 33 are used, and two more are left; what is taken stays above half of the window.
        Rig rig = started(4).send(2, 10).after(RTT).block(2, 10, 1, 0);
        assertThat(rig.control.windowBytes(2)).isEqualTo(140_544 / 2);
        rig.send(2, 14).after(RTT).block(2, 14, 4, 0);
        assertThat(rig.control.windowBytes(2)).isEqualTo(16 * Q - Q);
        assertThat(rig.control.windowBytes(1)).isEqualTo(140_544);
    }

    @Test
    @Covers("R-CC-004")
    void theConnectionIsTrimmedOnceHalfOfThePathsAreHot() {
        Rig rig = started(4).fill().after(RTT).ackMarked(0, 8);
        assertThat(rig.control.windowBytes()).isEqualTo(HINTED);
        rig.ackMarked(1, 8);
        assertThat(rig.control.windowBytes()).isEqualTo(HINTED - 8 * Q / 4);
        rig.after(RTT).ackMarked(2, 8);
        assertThat(rig.control.windowBytes()).isEqualTo(HINTED - 8 * Q / 4);
    }

    @Test
    @Covers("R-CC-004")
    void anInactivePathHasNoVote() {
        Rig rig = started(4);
        rig.control.deactivate(2);
        rig.control.deactivate(3);
        rig.fill().after(RTT).ackMarked(0, 8);
        assertThat(rig.control.windowBytes()).isEqualTo(HINTED - 8 * Q / 4);
    }

    @Test
    @Covers("R-CC-009")
    void marksOfOneRoundHalveAWindowAtMost() {
        Rig rig = started(1);
        long window = rig.control.windowBytes();
        long path = rig.control.windowBytes(0);
        rig.after(RTT);
        for (int i = 0; i < 20; i++) {
            rig.send(0, 40).ackMarked(0, 40);
        }
        assertThat(rig.control.windowBytes()).isEqualTo(window / 2);
        assertThat(rig.control.windowBytes(0)).isEqualTo(path / 2);
        rig.after(RTT).send(0, 40).ackMarked(0, 40);
        assertThat(rig.control.windowBytes()).isEqualTo(window / 2 - 10 * Q);
    }

    @Test
    @Covers("R-CC-005")
    void whenEverythingIsMarkedTheWindowFallsByAQuarterWithinTwoRoundTrips() {
        for (int paths : new int[] {1, 2, 3, 8, 32}) {
            Rig rig = started(paths).roundTrip(Marks.NONE).hint(LINE);
            long window = rig.control.windowBytes();
            rig.roundTrip(Marks.ALL).hint(LINE).roundTrip(Marks.ALL);
            assertThat(rig.control.windowBytes()).as("%s paths", paths).isLessThanOrEqualTo(window * 3 / 4);
        }
    }

    @Test
    void growthBeginsGentlyAfterAMark() {
        Rig rig = started(4);
        for (int i = 0; i < 3; i++) {
            rig.hint(LINE).roundTrip(Marks.NONE);
        }
        rig.fill().block(3, 1, 1, 0).hint(LINE);
        long window = rig.control.windowBytes();
        rig.fill().ack(0, 1);
        // k = 0 again: A = 46,848.
        assertThat(rig.control.windowBytes() - window).isEqualTo(46_848L * Q / window);
    }

    @Test
    @Covers("R-CC-006")
    void aLossByChanceCostsThePathAnEighthOncePerRound() {
        Rig rig = started(4).fill().after(RTT).lose(0, 3);
        assertThat(rig.windows()).containsExactly(140_544 - 17_568, 140_544, 140_544, 140_544);
        rig.lose(0, 3);
        assertThat(rig.control.windowBytes(0)).isEqualTo(140_544 - 17_568);
        assertThat(rig.control.windowBytes()).isEqualTo(HINTED);
        rig.after(RTT).lose(0, 1);
        assertThat(rig.control.windowBytes(0)).isEqualTo(122_976 - 15_372);
    }

    @Test
    void aLossWithAQueueHalvesThePath() {
        Rig rig = started(4).fill();
        rig.roundMinNs = RTT + 3 * US; // D_t and base/4 are both 3 us
        rig.after(RTT).lose(0, 1);
        assertThat(rig.windows()).containsExactly(70_272, 140_544, 140_544, 140_544);
        assertThat(rig.control.windowBytes()).isEqualTo(HINTED);
        rig.roundMinNs = RTT + 3 * US - 1;
        rig.lose(1, 1);
        assertThat(rig.control.windowBytes(1)).isEqualTo(140_544 - 17_568);
    }

    @Test
    void aLossSoonAfterAMarkHalvesThePath() {
        Rig rig = started(4).fill().after(RTT).ackMarked(0, 4);
        long path = rig.control.windowBytes(0);
        rig.after(RTT).lose(0, 1);
        assertThat(rig.control.windowBytes(0)).isEqualTo(path - path / 2);
        rig.after(RTT + 1).lose(0, 1);
        assertThat(rig.control.windowBytes(0)).isEqualTo(path / 2 - path / 16);
    }

    @Test
    void whenHalfOfThePathsLoseByCongestionTheConnectionFallsToWhatWasDelivered() {
        Rig rig = started(4).send(3, 60).after(RTT).ack(3, 40).hint(LINE).fill();
        rig.after(RTT).ack(3, 5); // the round before delivered 40 packets
        rig.roundMinNs = 2 * RTT;
        rig.lose(0, 1);
        assertThat(rig.control.windowBytes()).isGreaterThan(HINTED - Q);
        rig.lose(1, 1);
        assertThat(rig.control.windowBytes()).isEqualTo(40 * Q);
    }

    @Test
    void aTimeoutLeavesOnePacket() {
        Rig rig = started(4).fill();
        rig.control.onTimeout(rig.nowNs, 1);
        assertThat(rig.windows()).containsExactly(140_544, Q, 140_544, 140_544);
    }

    @Test
    @Covers("R-CC-003")
    void inFlightStaysWithinBothWindows() {
        Rig rig = started(4).fill();
        assertThat(rig.control.inFlightBytes()).isBetween(HINTED - Q, HINTED);
        rig.after(RTT);
        rig.control.onTimeout(rig.nowNs, 0);
        assertThat(rig.control.pathHasRoom(0, Q)).isFalse();
    }

    @Test
    @Covers("R-CC-003")
    void theReceiversShareIsALooseCap() {
        Rig rig = started(4);
        rig.hint(1_000_000_000).fill();
        // 1 Gbyte/s for 15 us is 15,000 bytes, and two packets more.
        assertThat(rig.control.inFlightBytes()).isEqualTo(5 * Q);
    }

    @Test
    void withNothingInFlightOnePacketMayAlwaysGo() {
        Rig rig = started(1);
        rig.hint(1_000_000);
        for (int i = 0; i < 400; i++) {
            rig.after(2 * RTT).send(0, 1).ackMarked(0, 1).hint(1_000_000);
            rig.control.onTimeout(rig.nowNs, 0);
        }
        assertThat(rig.control.windowBytes()).isEqualTo(Q / 16);
        assertThat(rig.control.windowBytes(0)).isEqualTo(Q);
        assertThat(rig.control.connectionHasRoom(rig.nowNs, Q)).isTrue();
        assertThat(rig.control.pathHasRoom(0, Q)).isTrue();
        rig.send(0, 1);
        assertThat(rig.control.connectionHasRoom(rig.nowNs, Q)).isFalse();
        assertThat(rig.control.pathHasRoom(0, Q)).isFalse();
    }

    @Test
    void theRateIsFiveQuartersOfAWindowPerRoundTripAndNoMoreThanTheShare() {
        Rig rig = new Rig(4);
        assertThat(rig.control.rateBytesPerSecond()).isEqualTo(5 * IW * 1_000_000 / 48);
        rig.fill().after(RTT).ack(0, 1).hint(LINE);
        assertThat(rig.control.rateBytesPerSecond()).isEqualTo(5 * HINTED * 1_000_000 / 48);
        rig.hint(1_000_000_000);
        assertThat(rig.control.rateBytesPerSecond()).isEqualTo(rig.control.hintBytesPerSecond());
    }

    @Test
    @Covers("R-HINT-005")
    void aStaleHintStopsTheGrowthOfTheConnection() {
        Rig rig = started(4).fill();
        long window = rig.control.windowBytes();
        rig.after(4 * RTT + 1).ack(0, 10);
        assertThat(rig.control.windowBytes()).isEqualTo(window);
        rig.hint(LINE).fill().after(RTT).ack(0, 10);
        assertThat(rig.control.windowBytes()).isGreaterThan(window);
    }

    @Test
    @Covers("R-HINT-005")
    void aForgottenHintLeadsToAColdStart() {
        Rig rig = started(4);
        rig.after(64 * RTT).control.connectionHasRoom(rig.nowNs, Q);
        assertThat(rig.control.windowBytes()).isNotEqualTo(IW);
        rig.after(1).control.connectionHasRoom(rig.nowNs, Q);
        assertThat(rig.control.windowBytes()).isEqualTo(IW);
        assertThat(rig.windows()).containsExactly(24_576, 24_576, 24_576, 24_576);
        assertThat(rig.control.hintBytesPerSecond()).isEqualTo(LINE);
        rig.fill().after(RTT).ack(0, 1).hint(LINE);
        assertThat(rig.control.windowBytes()).isEqualTo(HINTED);
    }

    @Test
    void afterAShortIdleTimeTheAgedShareSaysHowToBegin() {
        long share = Minifloat.decodeHint(Minifloat.encodeHint(LINE / 100));
        Rig rig = started(4);
        rig.hint(LINE / 100).after(16 * RTT).control.connectionHasRoom(rig.nowNs, Q);
        // Two doublings in 16 round trips.
        assertThat(rig.control.hintBytesPerSecond()).isEqualTo(4 * share);
        assertThat(rig.control.windowBytes()).isEqualTo(4 * share * 12 / 1_000_000);
        rig.after(40 * RTT).control.connectionHasRoom(rig.nowNs, Q);
        assertThat(rig.control.hintBytesPerSecond()).isEqualTo(LINE);
        assertThat(rig.control.windowBytes()).isEqualTo(600_000);
    }

    @Test
    void aShortPauseOfTheApplicationChangesNothing() {
        Rig rig = started(4);
        rig.after(4 * RTT).control.connectionHasRoom(rig.nowNs, Q);
        assertThat(rig.control.windowBytes()).isEqualTo(HINTED);
    }

    @Test
    @Covers("R-HINT-009")
    void aPauseStopsEverythingUntilItIsLiftedOrForgotten() {
        Rig rig = started(4);
        rig.control.onHint(rig.nowNs, Minifloat.HINT_PAUSE);
        assertThat(rig.control.isPaused(rig.nowNs)).isTrue();
        assertThat(rig.control.connectionHasRoom(rig.nowNs, Q)).isFalse();
        rig.after(RTT).hint(LINE);
        assertThat(rig.control.isPaused(rig.nowNs)).isFalse();
        assertThat(rig.control.connectionHasRoom(rig.nowNs, Q)).isTrue();

        rig.control.onHint(rig.nowNs, Minifloat.HINT_PAUSE);
        assertThat(rig.control.pausedUntilNs()).isEqualTo(rig.nowNs + 64 * RTT + 1);
        rig.after(64 * RTT);
        assertThat(rig.control.connectionHasRoom(rig.nowNs, Q)).isFalse();
        rig.after(1);
        assertThat(rig.control.isPaused(rig.nowNs)).isFalse();
        assertThat(rig.control.connectionHasRoom(rig.nowNs, Q)).isTrue();
        assertThat(rig.control.windowBytes()).isEqualTo(IW);
    }

    @Test
    void withoutAHintTheLineRateIsTheShare() {
        Rig rig = new Rig(4).fill().after(RTT).ack(0, 1);
        rig.control.onHint(rig.nowNs, Minifloat.HINT_NONE);
        assertThat(rig.control.hintBytesPerSecond()).isEqualTo(LINE);
        assertThat(rig.control.windowBytes()).isBetween(IW, IW + Q);
    }

    @Test
    void aBorrowedRouteIsEnteredWithTheSmallerWindow() {
        Rig rig = started(4);
        rig.control.onTimeout(rig.nowNs, 0);
        rig.fill().ackMarked(2, 1);
        rig.control.onRebound(rig.nowNs, 2, 0);
        assertThat(rig.control.windowBytes(2)).isEqualTo(2 * Q);
        assertThat(rig.control.isHot(rig.nowNs, 2)).isFalse();
        rig.control.onTimeout(rig.nowNs, 3);
        rig.control.onRebound(rig.nowNs, 3, 1);
        assertThat(rig.control.windowBytes(3)).isEqualTo(2 * Q);
        rig.control.onRebound(rig.nowNs, 1, 1);
        assertThat(rig.control.windowBytes(1)).isEqualTo(140_544);
    }

    @Test
    void aRouteOfItsOwnIsEnteredWithHalfTheMedian() {
        Rig rig = started(4);
        rig.control.onTimeout(rig.nowNs, 0);
        rig.control.onRebound(rig.nowNs, 0, -1);
        assertThat(rig.control.windowBytes(0)).isEqualTo(70_272);
        rig.control.onTimeout(rig.nowNs, 1);
        rig.control.onTimeout(rig.nowNs, 2);
        rig.control.onRebound(rig.nowNs, 3, -1);
        assertThat(rig.control.windowBytes(3)).isEqualTo(4 * Q);
    }

    @Test
    void aPathThatJoinsLaterGetsTheMedian() {
        CongestionControl control = new CongestionControl(Profiles.model().rate(), 4, 4096);
        control.startWith(RTT, Long.MAX_VALUE);
        control.activate(0);
        control.activate(1);
        control.onSent(0, 0, Q);
        control.onLeft(0, Q);
        control.onSignal(RTT, 0, new RateSignal().acked(Q).rtt(RTT, RTT, RTT, RTT));
        control.onHint(RTT, Minifloat.encodeHint(LINE));
        control.onTimeout(RTT, 1);
        control.activate(2);
        assertThat(control.windowBytes(2)).isEqualTo(2 * Q);
        control.deactivate(1);
        control.activate(3);
        assertThat(control.windowBytes(3)).isEqualTo(2 * Q);
        control.deactivate(2);
        control.deactivate(3);
        control.activate(3);
        assertThat(control.windowBytes(3)).isEqualTo(281_088);
    }

    @Test
    void theSmallestBaseOfTheActivePathsRules() {
        Rig rig = started(2);
        rig.signal.reset().rtt(0, 8 * US, 8 * US, 8 * US);
        rig.control.onSignal(rig.nowNs, 1, rig.signal);
        // 8 us and a wanted queue of 2 us: a tenth of the line has 50,000 bytes there, and two packets more.
        rig.hint(LINE / 10).fill();
        assertThat(rig.control.inFlightBytes()).isEqualTo(13 * Q);
        rig.control.deactivate(1);
        rig.after(RTT).ack(0, 1).hint(LINE / 10).fill();
        // 12 us and 3 us once more, for the one path that is left.
        assertThat(rig.control.inFlightBytes()).isEqualTo(19 * Q);
    }

    @Test
    void aBorrowedRouteHasTheRoundTripOfItsLenderAndAnOwnOneHasNone() {
        Rig rig = started(2);
        rig.signal.reset().rtt(0, 8 * US, 8 * US, 8 * US);
        rig.control.onSignal(rig.nowNs, 1, rig.signal);
        rig.control.onRebound(rig.nowNs, 1, 0);
        rig.hint(LINE / 10).fill();
        assertThat(rig.control.inFlightBytes()).as("both paths take 12 us").isEqualTo(19 * Q);
        Rig other = started(2);
        other.signal.reset().rtt(0, 8 * US, 8 * US, 8 * US);
        other.control.onSignal(other.nowNs, 1, other.signal);
        other.control.onRebound(other.nowNs, 1, -1);
        other.hint(LINE / 10).fill();
        assertThat(other.control.inFlightBytes())
                .as("12 us are all that is known")
                .isEqualTo(19 * Q);
    }

    @Test
    void aPathThatLosesFarMoreThanTheOthersKeepsAQuarter() {
        Rig rig = started(4);
        rig.control.quarter(2);
        assertThat(rig.windows()).containsExactly(140_544, 140_544, 140_544 / 4, 140_544);
    }

    @Test
    void packetsAreSpacedByTheRate() {
        Rig rig = started(4);
        rig.after(100 * RTT).hint(LINE); // whatever was saved up is there again
        int burst = 0;
        while (rig.control.paceAllows(rig.nowNs) && burst < 10) {
            rig.send(0, 1);
            burst++;
        }
        assertThat(burst).isBetween(2, 3);
        long gapNs = Q * 1_000_000_000L / rig.control.rateBytesPerSecond();
        long first = rig.control.nextDepartureNs();
        assertThat(rig.control.paceAllows(first - 1)).isFalse();
        assertThat(rig.control.paceAllows(first)).isTrue();
        rig.nowNs = first;
        rig.send(0, 1);
        assertThat(rig.control.nextDepartureNs()).isBetween(first + gapNs - 1, first + gapNs + 1);
    }

    @Test
    void onASoftwareHostTheWindowMayCoverTheHostsOwnDelay() {
        Rig rig = new Rig(Profiles.udp().rate(), 4);
        rig.fill().after(RTT).ack(0, 1).hint(1_250_000_000);
        for (int i = 0; i < 100; i++) {
            rig.hint(1_250_000_000).roundTrip(Marks.NONE);
        }
        // 10 Gbit/s for 12 us and 500 us of its own; 3/2 of 12 us alone would be five packets.
        assertThat(rig.control.windowBytes()).isBetween(600_000L, 960_000L);
    }

    private static Rig started(int paths) {
        Rig rig = new Rig(paths).fill().after(RTT);
        for (int i = 0; i < paths; i++) {
            rig.ack(i, (int) (rig.control.inFlightBytes(i) / Q));
        }
        return rig.hint(LINE);
    }
}
