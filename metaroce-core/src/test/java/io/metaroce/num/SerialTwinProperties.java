package io.metaroce.num;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import java.math.BigInteger;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** The model itself on small circles, number by number over three turns; and the real widths against the model. */
class SerialTwinProperties {
    @Example
    @Covers("R-PATH-002")
    void onSmallCirclesOrderIsThatOfNumbersThatNeverWrap() {
        for (int bits = 2; bits <= 6; bits++) {
            SerialTwin twin = new SerialTwin(bits);
            int circle = 1 << bits;
            for (int a = 0; a < 3 * circle; a++) {
                for (int b = a - circle / 2 + 1; b < a + circle / 2; b++) {
                    BigInteger wrappedA = twin.wrapped(BigInteger.valueOf(a));
                    BigInteger wrappedB = twin.wrapped(BigInteger.valueOf(b));
                    assertThat(twin.isBefore(wrappedA, wrappedB)).isEqualTo(a < b);
                }
            }
        }
    }

    @Property
    @Covers("R-PATH-002")
    void thirtyTwoBitsAgreeWithTheModel(
            @ForAll @LongRange(min = -(3L << 32), max = 3L << 32) long a, @ForAll int ahead) {
        long b = a + ahead;
        SerialTwin twin = new SerialTwin(32);
        BigInteger bigA = twin.wrapped(BigInteger.valueOf(a));
        BigInteger bigB = twin.wrapped(BigInteger.valueOf(b));
        assertThat(Serial32.isBefore((int) a, (int) b)).isEqualTo(twin.isBefore(bigA, bigB));
        boolean half = ahead == Integer.MIN_VALUE; // where nobody is after the other
        assertThat(Serial32.isAfter((int) a, (int) b)).isEqualTo(!half && twin.isBefore(bigB, bigA));
        assertThat(Serial32.distance((int) a, (int) b)).isEqualTo(ahead);
        assertThat(Serial32.later((int) a, (int) b)).isEqualTo((twin.isBefore(bigA, bigB) ? bigB : bigA).intValue());
    }

    @Property
    @Covers("R-PATH-002")
    void sixteenBitsAgreeWithTheModel(
            @ForAll @IntRange(min = -(3 << 16), max = 3 << 16) int a, @ForAll @IntRange(max = 3 << 16) int b) {
        SerialTwin twin = new SerialTwin(16);
        BigInteger bigA = twin.wrapped(BigInteger.valueOf(a));
        BigInteger bigB = twin.wrapped(BigInteger.valueOf(b));
        assertThat(Serial16.isBefore(a, b)).isEqualTo(twin.isBefore(bigA, bigB));
        assertThat(Serial16.advance(a, b)).isEqualTo(twin.advance(bigA, bigB).intValue());
    }
}
