package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.Profiles;
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

    @Test
    @Covers("R-CC-020")
    void aHostThatAddsDelayGoesByDelayAndCutsTheMarkedPathBesideIt() {
        Rig sockets =
                new Rig(Profiles.udp().rate(), 4).hint(Profiles.udp().rate().outboundBytesPerSecond());
        assertThat(sockets.control.isSteeredByDelay()).isTrue();
        for (int i = 0; i < 40; i++) {
            sockets.send(0, 2).ack(0, 2).send(1, 2).ack(1, 2).after(Rig.RTT);
        }
        long marked = sockets.control.windowBytes(0);
        long other = sockets.control.windowBytes(1);
        sockets.send(0, 4).ackMarked(0, 4).send(1, 4).ack(1, 4);
        assertThat(sockets.control.windowBytes(0)).isLessThan(marked);
        assertThat(sockets.control.windowBytes(1)).isGreaterThanOrEqualTo(other);
        assertThat(sockets.control.isHot(sockets.nowNs, 0)).isTrue();
        assertThat(sockets.control.isHot(sockets.nowNs, 1)).isFalse();
    }

    private void lose(int packets) {
        for (int i = 0; i < packets; i++) {
            rig.after(Rig.RTT).send(0, 1).lose(0, 1);
        }
    }
}
