package io.metaroce.num;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class Serial16Properties {
    @Property
    void aNumberIsBeforeWhateverLiesLessThanHalfACircleAhead(
            @ForAll @IntRange(max = 0xFFFF) int a, @ForAll @IntRange(min = 1, max = 0x7FFF) int ahead) {
        int b = (a + ahead) & 0xFFFF;
        assertThat(Serial16.isBefore(a, b)).isTrue();
        assertThat(Serial16.isBefore(b, a)).isFalse();
        assertThat(Serial16.advance(a, b)).isEqualTo(ahead);
    }

    @Property
    void onlyTheLowSixteenBitsCount(@ForAll int a, @ForAll int b) {
        assertThat(Serial16.isBefore(a, b)).isEqualTo(Serial16.isBefore(a & 0xFFFF, b & 0xFFFF));
        assertThat(Serial16.advance(a, b)).isEqualTo(Serial16.advance(a & 0xFFFF, b & 0xFFFF));
        assertThat((short) (a + Serial16.advance(a, b))).isEqualTo((short) b);
    }

    @Example
    void theWrapIsNoBorder() {
        assertThat(Serial16.isBefore(0xFFFF, 0)).isTrue();
        assertThat(Serial16.isBefore(0, 0xFFFF)).isFalse();
        assertThat(Serial16.advance(0xFFFE, 3)).isEqualTo(5);
        assertThat(Serial16.advance(3, 3)).isZero();
    }
}
