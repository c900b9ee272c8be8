package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.Test;

class CongestionSignsTest {
    private final CongestionSigns signs = new CongestionSigns(4);
    private final PathWindows windows = new PathWindows(4, 4218);

    @Test
    void aPathThatWasNeverMarkedShowsNothing() {
        assertThat(signs.isHot(0, 0)).isFalse();
        assertThat(signs.isMarkedWithin(0, 0, 1_000_000_000)).isFalse();
        assertThat(signs.isLossyWithin(0, 0, 1_000_000_000)).isFalse();
    }

    @Test
    void whatWasSeenLastsAsLongAsIsAsked() {
        signs.heat(1, 500);
        signs.onMark(100, 1);
        signs.onCongestiveLoss(200, 1);
        assertThat(signs.isHot(499, 1)).isTrue();
        assertThat(signs.isHot(500, 1)).isFalse();
        assertThat(signs.isMarkedWithin(150, 1, 50)).isTrue();
        assertThat(signs.isMarkedWithin(151, 1, 50)).isFalse();
        assertThat(signs.isLossyWithin(250, 1, 50)).isTrue();
        assertThat(signs.isLossyWithin(251, 1, 50)).isFalse();
        assertThat(signs.isHot(499, 0)).isFalse();
        signs.forget(1);
        assertThat(signs.isHot(0, 1)).isFalse();
        assertThat(signs.isMarkedWithin(150, 1, 50)).isFalse();
        assertThat(signs.isLossyWithin(250, 1, 50)).isFalse();
    }

    @Test
    @Covers("R-CC-004")
    void halfOfTheActivePathsDecide() {
        windows.activate(0);
        windows.activate(1);
        windows.activate(2);
        signs.heat(0, 500);
        signs.heat(3, 500); // not active
        signs.onCongestiveLoss(100, 3);
        signs.onCongestiveLoss(100, 0);
        assertThat(BottleneckVote.mostAreHot(100, windows, signs)).isFalse();
        assertThat(BottleneckVote.mostLostByCongestion(100, windows, signs, 10)).isFalse();
        windows.activate(3);
        assertThat(BottleneckVote.mostAreHot(100, windows, signs)).isTrue();
        assertThat(BottleneckVote.mostLostByCongestion(100, windows, signs, 10)).isTrue();
        assertThat(BottleneckVote.mostAreHot(500, windows, signs)).isFalse();
        assertThat(BottleneckVote.mostLostByCongestion(111, windows, signs, 10)).isFalse();
    }
}
