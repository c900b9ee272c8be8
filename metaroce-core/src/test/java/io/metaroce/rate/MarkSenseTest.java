package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.Test;

/** When delay and loss steer instead of marks. */
class MarkSenseTest {
    private final Rig rig = new Rig(8);

    @Test
    void atFirstMarksAreExpected() {
        assertThat(rig.control.isSteeredByDelay()).isFalse();
    }

    @Test
    @Covers("R-CC-015")
    void aPeerThatCannotReadMarksWillReportNone() {
        rig.control.peerReadsMarks(false);
        assertThat(rig.control.isSteeredByDelay()).isTrue();
    }

    @Test
    @Covers("R-CC-015")
    void aThousandLossesWithoutAMarkSayThatNoneWillCome() {
        lose(999);
        assertThat(rig.control.isSteeredByDelay()).isFalse();
        lose(1);
        assertThat(rig.control.isSteeredByDelay()).isTrue();
    }

    @Test
    @Covers("R-CC-015")
    void aSingleMarkProvesTheContraryForGood() {
        lose(1_000);
        rig.send(0, 1).ackMarked(0, 1);
        assertThat(rig.control.isSteeredByDelay()).isFalse();
        lose(1_000);
        assertThat(rig.control.isSteeredByDelay()).isFalse();
    }

    @Test
    void lossesAmongMarksDoNotCount() {
        rig.send(0, 1).ackMarked(0, 1);
        lose(2_000);
        assertThat(rig.control.isSteeredByDelay()).isFalse();
    }

    private void lose(int packets) {
        for (int i = 0; i < packets; i++) {
            rig.after(Rig.RTT).send(0, 1).lose(0, 1);
        }
    }
}
