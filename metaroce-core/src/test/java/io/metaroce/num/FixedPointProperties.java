package io.metaroce.num;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class FixedPointProperties {
    private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

    @Property
    void mulDivAgreesWithBigIntegers(
            @ForAll @LongRange(min = 0) long a,
            @ForAll @LongRange(min = 0) long b,
            @ForAll @LongRange(min = 1) long c) {
        BigInteger exact = BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).divide(BigInteger.valueOf(c));
        assertThat(FixedPoint.mulDiv(a, b, c)).isEqualTo(exact.min(LONG_MAX).longValueExact());
    }

    @Property
    void mulDivAgreesWithBigIntegersForRatesAndTimes(
            @ForAll @LongRange(min = 0, max = 1_000_000_000_000L) long bytesPerSecond,
            @ForAll @LongRange(min = 0, max = 10_000_000_000L) long ns) {
        BigInteger exact = BigInteger.valueOf(bytesPerSecond)
                .multiply(BigInteger.valueOf(ns))
                .divide(BigInteger.valueOf(1_000_000_000));
        assertThat(FixedPoint.mulDiv(bytesPerSecond, ns, 1_000_000_000)).isEqualTo(exact.longValueExact());
    }

    @Example
    void mulDivSaturates() {
        assertThat(FixedPoint.mulDiv(Long.MAX_VALUE, Long.MAX_VALUE, 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(FixedPoint.mulDiv(Long.MAX_VALUE, 2, 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(FixedPoint.mulDiv(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(FixedPoint.mulDiv(0, Long.MAX_VALUE, 1)).isZero();
    }

    @Property
    void sumsSaturate(@ForAll @LongRange(min = 0) long a, @ForAll @LongRange(min = 0) long b) {
        BigInteger exact = BigInteger.valueOf(a).add(BigInteger.valueOf(b));
        assertThat(FixedPoint.addSaturated(a, b)).isEqualTo(exact.min(LONG_MAX).longValueExact());
    }

    @Property
    void anAverageMovesByItsFractionRoundedDown(
            @ForAll @LongRange(min = 0, max = 1L << 60) long average,
            @ForAll @LongRange(min = 0, max = 1L << 60) long sample,
            @ForAll @IntRange(min = 1, max = 8) int shift) {
        long moved = FixedPoint.ewma(average, sample, shift);
        assertThat(moved).isEqualTo(average + Math.floorDiv(sample - average, 1L << shift));
        assertThat(moved).isBetween(Math.min(average, sample), Math.max(average, sample));
    }

    @Property
    void clampStaysInside(
            @ForAll long value,
            @ForAll @LongRange(min = -1000, max = 1000) long low,
            @ForAll @LongRange(min = 0, max = 1000) long width) {
        long high = low + width;
        long clamped = FixedPoint.clamp(value, low, high);
        assertThat(clamped).isBetween(low, high);
        if (value >= low && value <= high) {
            assertThat(clamped).isEqualTo(value);
        }
    }
}
