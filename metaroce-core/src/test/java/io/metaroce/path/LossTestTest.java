package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.SplitMix64;
import org.junit.jupiter.api.Test;

class LossTestTest {
    private static final int P = 1;
    private static final int[] USUAL_PER_MILLE = {0, 10, 20, 50, 90};
    private static final int[] LOSSES_IN_A_ROW = {4, 5, 7, 10, 13};
    private static final int ONE_Q16 = 1 << 16;

    @Test
    void theWorseItUsuallyIsTheMoreLossesItTakes() {
        for (int i = 0; i < USUAL_PER_MILLE.length; i++) {
            LossTest test = new LossTest(2);
            test.usual(USUAL_PER_MILLE[i] * ONE_Q16 / 1000);
            for (int n = 0; n < LOSSES_IN_A_ROW[i]; n++) {
                assertThat(isOver(test)).isFalse();
                test.onReport(P, 0, 1, false);
            }
            assertThat(isOver(test)).as("%s per mille", USUAL_PER_MILLE[i]).isTrue();
        }
    }

    @Test
    @Covers("R-HEALTH-008")
    void whoeverLosesNineOfTenIsFoundWithinSixteenLosses() {
        SplitMix64 chance = new SplitMix64(8);
        int most = 0;
        for (int run = 0; run < 1000; run++) {
            LossTest test = new LossTest(2);
            int losses = 0;
            while (!isOver(test)) {
                boolean lost = chance.nextInt(10) > 0;
                losses += lost ? 1 : 0;
                test.onReport(P, lost ? 0 : 1, lost ? 1 : 0, false);
            }
            most = Math.max(most, losses);
        }
        assertThat(most).isLessThanOrEqualTo(16);
    }

    @Test
    void threeTimesTheMedianIsRoundedUpToAColumn() {
        assertThat(lossesToBeOver(437)).as("3 * 437 is 2 % to the digit").isEqualTo(4);
        assertThat(lossesToBeOver(438)).isEqualTo(5);
        assertThat(lossesToBeOver(ONE_Q16))
                .as("nothing is worse than the last column")
                .isEqualTo(13);
    }

    private static int lossesToBeOver(int medianQ16) {
        LossTest test = new LossTest(2);
        test.usual(medianQ16);
        int losses = 0;
        while (!isOver(test)) {
            test.onReport(P, 0, 1, false);
            losses++;
        }
        return losses;
    }

    @Test
    void theAverageIsThatOfAboutTwoHundredAndFiftySixPackets() {
        LossTest test = new LossTest(2);
        test.onReport(P, 0, 256, false);
        assertThat(test.averageQ16(P)).isBetween(ONE_Q16 * 62 / 100, ONE_Q16 * 65 / 100); // 1 - 1/e
        test.onReport(P, 0, 1000, false);
        int before = test.averageQ16(P);
        test.onReport(P, 256, 0, false);
        assertThat(test.averageQ16(P)).isBetween(before * 35 / 100, before * 39 / 100); // 1/e
        test.onReport(P, 10_000, 0, false);
        assertThat(test.averageQ16(P)).isLessThan(ONE_Q16 / 256);
    }

    @Test
    void whetherAnyIsOverIsCounted() {
        LossTest test = new LossTest(3);
        SplitMix64 chance = new SplitMix64(9);
        for (int i = 0; i < 2000; i++) {
            int path = chance.nextInt(3);
            switch (chance.nextInt(8)) {
                case 0 -> test.restart(Rows.of(path));
                case 1, 2, 3 -> test.onReport(path, 0, 1 + chance.nextInt(4), false);
                default -> test.onReport(path, chance.nextInt(12), 0, false);
            }
            boolean any = false;
            for (int p = 0; p < 3; p++) {
                any |= test.score(p) > LossTest.LIMIT;
            }
            assertThat(test.isAnyAboveLimit()).isEqualTo(any);
        }
    }

    @Test
    void whoeverLosesOneOfTenStaysAndIsKnownForIt() {
        SplitMix64 chance = new SplitMix64(9);
        LossTest test = new LossTest(2);
        int over = 0;
        for (int n = 0; n < 100_000; n++) {
            boolean lost = chance.nextInt(10) == 0;
            test.onReport(P, lost ? 0 : 1, lost ? 1 : 0, false);
            over += isOver(test) ? 1 : 0;
        }
        assertThat(over).isLessThan(50); // bad luck of one in ten thousand, at 2 % usual
        assertThat(test.averageQ16(P)).isBetween(ONE_Q16 / 15, ONE_Q16 / 7);
    }

    @Test
    @Covers("R-HEALTH-007")
    void congestionIsNoFailure() {
        LossTest test = new LossTest(2);
        for (int n = 0; n < 100; n++) {
            test.onReport(P, 0, 3, true);
        }
        assertThat(test.score(P)).isZero();
        assertThat(test.averageQ16(P)).isZero();
    }

    @Test
    void anotherRouteIsJudgedAnew() {
        PathRow row = Rows.of(P);
        LossTest test = new LossTest(2);
        test.onReport(P, 0, 5, false);
        assertThat(LossTest.takeRedraw(row)).isTrue();
        assertThat(LossTest.takeRedraw(row)).isFalse();
        test.restart(row);
        assertThat(test.score(P)).isZero();
        assertThat(LossTest.takeRedraw(row)).isTrue();
    }

    @Test
    void howeverMuchIsLostTheAverageStaysBelowOneAndTheNeighbourIsSpared() {
        LossTest test = new LossTest(2);
        test.onReport(P, 0, 100_000, false);
        assertThat(test.averageQ16(P)).isBetween(ONE_Q16 - 256, ONE_Q16 - 1);
        assertThat(test.averageQ16(0)).isZero();
        assertThat(test.score(0)).isZero();
    }

    @Test
    void aPathThatHasLostNothingIsAnsweredForBeforeAnyHas() {
        LossTest test = new LossTest(2);
        test.onReport(P, 100, 0, false);
        test.onReport(P, 100, 5, true);
        test.restart(Rows.of(P));
        assertThat(test.score(P)).isZero();
        assertThat(test.averageQ16(P)).isZero();
        assertThat(test.isAnyAboveLimit()).isFalse();
        test.onReport(P, 0, 1, false);
        assertThat(test.score(P)).isPositive();
        assertThat(test.averageQ16(P)).isPositive();
    }

    private static boolean isOver(LossTest test) {
        return test.score(P) > LossTest.LIMIT;
    }
}
