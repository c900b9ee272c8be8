package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import org.junit.jupiter.api.Test;

class HintLimiterTest {
    private static final int Q = 4218;
    private static final long LINE = 50_000_000_000L;
    private static final long RTT = 12_000;
    private static final long HINT = Minifloat.decodeHint(Minifloat.encodeHint(1_000_000_000));

    private final LineModel line = line(RTT);

    @Test
    void withoutAHintTheLineRateRules() {
        HintLimiter hint = new HintLimiter(line, 0);
        assertThat(hint.bytesPerSecond(0)).isEqualTo(LINE);
        assertThat(hint.isStale(Long.MAX_VALUE)).isFalse();
        assertThat(hint.isForgotten(Long.MAX_VALUE)).isFalse();
    }

    @Test
    @Covers("R-HINT-005")
    void aHintIsFreshForFourRoundTripsThenDoublesThenIsForgotten() {
        HintLimiter hint = heard(new HintLimiter(line, 0), 1_000, RTT);
        long age = 1_000;
        assertThat(hint.isStale(age + 4 * RTT)).isFalse();
        assertThat(hint.isStale(age + 4 * RTT + 1)).isTrue();
        assertThat(hint.bytesPerSecond(age + 8 * RTT - 1)).isEqualTo(HINT);
        assertThat(hint.bytesPerSecond(age + 8 * RTT)).isEqualTo(2 * HINT);
        assertThat(hint.bytesPerSecond(age + 24 * RTT)).isEqualTo(8 * HINT);
        assertThat(hint.bytesPerSecond(age + 64 * RTT)).isEqualTo(LINE);
        assertThat(hint.isForgotten(age + 64 * RTT)).isFalse();
        assertThat(hint.isForgotten(age + 64 * RTT + 1)).isTrue();
    }

    @Test
    void whileFreshAHintDoesNotGrowHoweverLongThatIs() {
        HintLimiter hint = heard(new HintLimiter(line, 0), 0, 100 * RTT);
        assertThat(hint.bytesPerSecond(400 * RTT)).isEqualTo(HINT);
        assertThat(hint.isForgotten(400 * RTT)).isFalse();
        assertThat(hint.isForgotten(400 * RTT + 1)).isTrue();
    }

    @Test
    void aSmallShareStaysFreshForFourPackets() {
        HintLimiter hint = new HintLimiter(line, 0);
        hint.onHint(0, Minifloat.encodeHint(1_000_000), RTT);
        long rate = hint.bytesPerSecond(0);
        long fourPackets = 4L * Q * 1_000_000_000 / rate;
        assertThat(hint.isStale(fourPackets)).isFalse();
        assertThat(hint.isStale(fourPackets + 1)).isTrue();
        assertThat(hint.freshNs()).isEqualTo(fourPackets);
    }

    @Test
    void aSlowHostKeepsHintsForItsFloor() {
        HintLimiter hint = heard(new HintLimiter(line, 5_000_000), 0, RTT);
        assertThat(hint.bytesPerSecond(5_000_000)).isEqualTo(HINT);
        assertThat(hint.isForgotten(5_000_000)).isFalse();
        assertThat(hint.isForgotten(5_000_001)).isTrue();
    }

    @Test
    void onLongPathsAHintIsForgottenAfterFiftyMilliseconds() {
        HintLimiter hint = heard(new HintLimiter(line(2_000_000), 0), 0, 2_000_000);
        assertThat(hint.isForgotten(50_000_000)).isFalse();
        assertThat(hint.isForgotten(50_000_001)).isTrue();
    }

    @Test
    @Covers("R-HINT-009")
    void aPauseAgesLikeAnyHint() {
        HintLimiter hint = new HintLimiter(line, 0);
        hint.onHint(0, Minifloat.HINT_PAUSE, RTT);
        assertThat(hint.isPaused(64 * RTT)).isTrue();
        assertThat(hint.bytesPerSecond(0)).isZero();
        assertThat(hint.bytesPerSecond(60 * RTT)).isZero();
        assertThat(hint.isPaused(64 * RTT + 1)).isFalse();
        assertThat(hint.isForgotten(64 * RTT + 1)).isTrue();
    }

    @Test
    void noHintIsAnAnswerToo() {
        HintLimiter hint = heard(new HintLimiter(line, 0), 0, RTT);
        hint.onHint(RTT, Minifloat.HINT_NONE, RTT);
        assertThat(hint.bytesPerSecond(RTT)).isEqualTo(LINE);
        assertThat(hint.isRate()).isFalse();
        assertThat(hint.isForgotten(RTT + 64 * RTT + 1)).isTrue();
    }

    @Test
    void aHintBeyondTheLineIsTheLine() {
        HintLimiter hint = new HintLimiter(line, 0);
        hint.onHint(0, 0xFFFF, RTT);
        assertThat(hint.bytesPerSecond(0)).isEqualTo(LINE);
        hint.onHint(0, 0x0001, RTT);
        assertThat(hint.bytesPerSecond(0)).isEqualTo(125);
    }

    private static HintLimiter heard(HintLimiter hint, long nowNs, long srttNs) {
        hint.onHint(nowNs, Minifloat.encodeHint(1_000_000_000), srttNs);
        return hint;
    }

    private static LineModel line(long rttNs) {
        LineModel line = new LineModel(LINE, 0, Q);
        line.rtt0Ns(rttNs);
        return line;
    }
}
