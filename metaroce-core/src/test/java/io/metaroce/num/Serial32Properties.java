package io.metaroce.num;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class Serial32Properties {
    private static final long CIRCLE = 1L << 32;
    private static final long HALF = 1L << 31;

    @Property
    @Covers("R-PATH-002")
    void aNumberIsBeforeWhateverLiesLessThanHalfACircleAhead(
            @ForAll int a, @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE) int ahead) {
        int b = a + ahead;
        assertThat(Serial32.isBefore(a, b)).isTrue();
        assertThat(Serial32.isBefore(b, a)).isFalse();
        assertThat(Serial32.isAfter(b, a)).isTrue();
        assertThat(Serial32.isAfter(a, b)).isFalse();
        assertThat(Serial32.distance(a, b)).isEqualTo(ahead);
        assertThat(Serial32.distance(b, a)).isEqualTo(-ahead);
        assertThat(Serial32.later(a, b)).isEqualTo(b);
        assertThat(Serial32.later(b, a)).isEqualTo(b);
    }

    @Property
    @Covers("R-PATH-002")
    void agreesWithCountingOnACircle(@ForAll int a, @ForAll int b) {
        long stepsFromAToB = Math.floorMod((b & 0xFFFF_FFFFL) - (a & 0xFFFF_FFFFL), CIRCLE);
        assertThat(Serial32.isBefore(a, b)).isEqualTo(stepsFromAToB >= 1 && stepsFromAToB <= HALF);
        assertThat(Serial32.distance(a, b))
                .isEqualTo((int) (stepsFromAToB < HALF ? stepsFromAToB : stepsFromAToB - CIRCLE));
    }

    @Property
    void nothingIsBeforeOrAfterItself(@ForAll int a) {
        assertThat(Serial32.isBefore(a, a)).isFalse();
        assertThat(Serial32.isAfter(a, a)).isFalse();
        assertThat(Serial32.later(a, a)).isEqualTo(a);
    }

    @Example
    @Covers("R-PATH-002")
    void theWrapIsNoBorder() {
        assertThat(Serial32.isBefore(-1, 0)).isTrue();
        assertThat(Serial32.isBefore(0, -1)).isFalse();
        assertThat(Serial32.isBefore(Integer.MAX_VALUE, Integer.MIN_VALUE)).isTrue();
        assertThat(Serial32.later(-1, 3)).isEqualTo(3);
        assertThat(Serial32.distance(-2, 5)).isEqualTo(7);
    }

    @Example
    void atExactlyHalfACircleEachIsBeforeTheOther() {
        // The rule "the difference is negative" says so of 2^31; nobody may compare numbers that far apart.
        assertThat(Serial32.isBefore(0, Integer.MIN_VALUE)).isTrue();
        assertThat(Serial32.isBefore(Integer.MIN_VALUE, 0)).isTrue();
        assertThat(Serial32.isAfter(0, Integer.MIN_VALUE)).isFalse();
    }
}
