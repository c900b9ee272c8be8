package io.metaroce.num;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import java.math.BigInteger;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class MinifloatProperties {
    private static final long HINT_KBIT_MAX = 2047L << 31;
    private static final long DEMAND_MAX = 260_046_848;

    @Example
    @Covers("R-HINT-001")
    void hintsHaveTheCodesOfTheSpecification() {
        assertThat(Minifloat.encodeHintKbit(400_000_000)).isEqualTo(0x95F5);
        assertThat(Minifloat.decodeHintKbit(0x95F5)).isEqualTo(399_769_600);
        assertThat(Minifloat.encodeHintKbit(100_000_000)).isEqualTo(0x85F5);
        assertThat(Minifloat.encodeHintKbit(1_000_000)).isEqualTo(0x4FA1);
        assertThat(Minifloat.encodeHintKbit(10_000)).isEqualTo(0x1CE2);
        assertThat(Minifloat.encodeHintKbit(1)).isEqualTo(0x0001);
        assertThat(Minifloat.encodeHint(50_000_000_000L)).isEqualTo(0x95F5);
        assertThat(Minifloat.decodeHint(0x95F5)).isEqualTo(399_769_600L * 125);
    }

    @Example
    @Covers("R-HINT-001")
    void hintsSaturateAtBothEnds() {
        assertThat(Minifloat.encodeHintKbit(0)).isEqualTo(1);
        assertThat(Minifloat.encodeHint(0)).isEqualTo(1);
        assertThat(Minifloat.encodeHintKbit(2047)).isEqualTo(2047);
        assertThat(Minifloat.encodeHintKbit(2048)).isEqualTo((1 << 11) | 1024);
        assertThat(Minifloat.encodeHintKbit(HINT_KBIT_MAX)).isEqualTo(0xFFFF);
        assertThat(Minifloat.encodeHintKbit(HINT_KBIT_MAX - 1)).isEqualTo(0xFFFE);
        assertThat(Minifloat.encodeHintKbit(Long.MAX_VALUE)).isEqualTo(0xFFFF);
    }

    @Property
    @Covers("R-HINT-001")
    void hintsRoundDownByLessThanOneInAThousand(@ForAll @LongRange(min = 1024, max = 2047L << 31) long kbit) {
        long back = Minifloat.decodeHintKbit(Minifloat.encodeHintKbit(kbit));
        assertThat(back).isLessThanOrEqualTo(kbit);
        assertThat(BigInteger.valueOf(kbit - back).shiftLeft(10)).isLessThanOrEqualTo(BigInteger.valueOf(kbit));
    }

    @Property
    @Covers("R-HINT-001")
    void hintCodesGrowWithTheRate(
            @ForAll @LongRange(min = 0, max = 1L << 43) long a, @ForAll @LongRange(min = 0, max = 1L << 43) long b) {
        int lower = Minifloat.encodeHintKbit(Math.min(a, b));
        int higher = Minifloat.encodeHintKbit(Math.max(a, b));
        assertThat(lower).isLessThanOrEqualTo(higher);
    }

    @Property
    void everyCodeThatIsEmittedComesBack(
            @ForAll @IntRange(max = 31) int exponent, @ForAll @IntRange(min = 1024, max = 2047) int mantissa) {
        int code = (exponent << 11) | mantissa;
        assertThat(Minifloat.encodeHintKbit(Minifloat.decodeHintKbit(code))).isEqualTo(code);
        assertThat(Minifloat.isPause(code)).isFalse();
    }

    @Property
    void decodersTakeAnyMantissa(@ForAll @IntRange(max = 0xFFFF) int code) {
        assertThat(Minifloat.decodeHintKbit(code)).isEqualTo((long) (code & 0x7FF) << (code >>> 11));
        assertThat(Minifloat.isPause(code)).isEqualTo(code != 0 && (code & 0x7FF) == 0);
    }

    @Example
    void noHintIsNoPause() {
        assertThat(Minifloat.isPause(Minifloat.HINT_NONE)).isFalse();
        assertThat(Minifloat.isPause(Minifloat.HINT_PAUSE)).isTrue();
        assertThat(Minifloat.decodeHint(Minifloat.HINT_PAUSE)).isZero();
    }

    @Example
    void demandHasTheCodesOfTheSpecification() {
        assertThat(Minifloat.decodeDemand(0)).isZero();
        assertThat(Minifloat.decodeDemand(0x01)).isEqualTo(4352);
        assertThat(Minifloat.encodeDemand(64 * 1024)).isEqualTo(0x40);
        assertThat(Minifloat.encodeDemand(1 << 20)).isEqualTo(0x80);
        assertThat(Minifloat.decodeDemand(0xFF)).isEqualTo(DEMAND_MAX);
        assertThat(Minifloat.encodeDemand(0)).isZero();
        assertThat(Minifloat.encodeDemand(1)).isEqualTo(1);
        assertThat(Minifloat.encodeDemand(Long.MAX_VALUE)).isEqualTo(0xFF);
    }

    @Property
    void demandIsTheSmallestCodeThatDoesNotUnderstate(@ForAll @LongRange(min = 1, max = DEMAND_MAX) long bytes) {
        int code = Minifloat.encodeDemand(bytes);
        int slow = 1;
        while (Minifloat.decodeDemand(slow) < bytes) {
            slow++;
        }
        assertThat(code).isEqualTo(slow);
    }

    @Property
    void demandOverstatesByASixteenthAtMost(@ForAll @LongRange(min = 4352, max = DEMAND_MAX) long bytes) {
        long back = Minifloat.decodeDemand(Minifloat.encodeDemand(bytes));
        assertThat(back).isBetween(bytes, bytes + bytes / 16);
    }

    @Example
    void retryDelaysRoundUpAndSaturate() {
        assertThat(Minifloat.encodeRetryDelay(0)).isZero();
        assertThat(Minifloat.encodeRetryDelay(1)).isEqualTo(1);
        assertThat(Minifloat.encodeRetryDelay(10_000)).isEqualTo(1);
        assertThat(Minifloat.encodeRetryDelay(10_001)).isEqualTo(2);
        assertThat(Minifloat.encodeRetryDelay(655_360_000)).isEqualTo(0xFFFF);
        assertThat(Minifloat.encodeRetryDelay(Long.MAX_VALUE)).isEqualTo(0xFFFF);
        assertThat(Minifloat.decodeRetryDelay(0xFFFF)).isEqualTo(655_350_000);
    }
}
