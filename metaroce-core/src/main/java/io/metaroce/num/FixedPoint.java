package io.metaroce.num;

/** Integer arithmetic with named rounding. All operands are non-negative unless stated; all divisions round down. */
public final class FixedPoint {
    private FixedPoint() {}

    /** {@code floor(a * b / c)} without overflow of the product; saturates at {@link Long#MAX_VALUE}. {@code c > 0}. */
    public static long mulDiv(long a, long b, long c) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        if (high == 0 && low >= 0) {
            return low / c;
        }
        return divide128(high, low, c);
    }

    /** {@code a + b}, saturating at {@link Long#MAX_VALUE}. */
    public static long addSaturated(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** Moves {@code average} towards {@code sample} by 1/2^shift of the difference. */
    public static long ewma(long average, long sample, int shift) {
        return average + ((sample - average) >> shift);
    }

    /** {@code value} limited to {@code low..high}. */
    public static long clamp(long value, long low, long high) {
        return Math.max(low, Math.min(value, high));
    }

    // Schoolbook division of an unsigned 128-bit number, one bit at a time: rare, hence plain.
    private static long divide128(long high, long low, long divisor) {
        if (Long.compareUnsigned(high, divisor) >= 0) {
            return Long.MAX_VALUE;
        }
        long remainder = high;
        long rest = low;
        long quotient = 0;
        for (int i = 0; i < 64; i++) {
            boolean carry = remainder < 0;
            remainder = (remainder << 1) | (rest >>> 63);
            rest <<= 1;
            quotient <<= 1;
            if (carry || Long.compareUnsigned(remainder, divisor) >= 0) {
                remainder -= divisor;
                quotient |= 1;
            }
        }
        return quotient < 0 ? Long.MAX_VALUE : quotient;
    }
}
