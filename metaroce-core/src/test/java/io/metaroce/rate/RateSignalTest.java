package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateSignalTest {
    private final RateSignal signal = new RateSignal();

    @Test
    void markedBytesAreTheMarkedPartOfWhatIsNewlyAcknowledged() {
        assertThat(signal.reset().acked(1000).acked(200).marks(4, 1).markedBytes())
                .isEqualTo(300);
        assertThat(signal.reset().acked(1000).marks(3, 1).markedBytes()).isEqualTo(333);
        assertThat(signal.reset().acked(1000).marks(3, 3).markedBytes()).isEqualTo(1000);
        assertThat(signal.reset().marks(3, 3).markedBytes()).isZero();
    }

    @Test
    void countersThatMakeNoSenseDoNoHarm() {
        assertThat(signal.reset().acked(1000).marks(1, 9).markedBytes()).isEqualTo(1000);
        assertThat(signal.reset().acked(1000).marks(0, 9).markedBytes()).isZero();
        assertThat(signal.reset().acked(1000).marks(4_294_967_295L, 65_535).markedBytes())
                .isZero();
    }

    @Test
    void theExcessIsUnknownWithoutABase() {
        assertThat(signal.reset().rtt(0, 20, 0, 20).excessNs()).isZero();
        assertThat(signal.reset().rtt(0, 20, 12, 20).excessNs()).isEqualTo(8);
        assertThat(signal.reset().rtt(0, 20, 12, 0).excessNs()).isZero();
    }

    @Test
    void theExcessOfASampleIsUnknownWithoutSampleOrBase() {
        assertThat(signal.reset().rtt(0, 20, 12, 20).sampleExcessNs()).isEqualTo(-1);
        assertThat(signal.reset().rtt(20, 20, 0, 20).sampleExcessNs()).isEqualTo(-1);
        assertThat(signal.reset().rtt(20, 0, 12, 0).sampleExcessNs()).isEqualTo(8);
        assertThat(signal.reset().rtt(10, 0, 12, 0).sampleExcessNs()).isZero();
        assertThat(signal.reset().rtt(1, 0, 1, 0).sampleExcessNs()).isZero();
    }

    @Test
    void everyRegisterKeepsWhatItWasGiven() {
        signal.reset().acked(1).lost(2).lost(3).marks(4, 5).rtt(6, 7, 8, 9);
        assertThat(new long[] {
                    signal.ackedBytes(),
                    signal.lostBytes(),
                    signal.lostPackets(),
                    signal.rxPacketsDelta(),
                    signal.cePacketsDelta(),
                    signal.rttNs(),
                    signal.srttNs(),
                    signal.baseRttNs(),
                    signal.roundMinRttNs()
                })
                .containsExactly(1, 5, 2, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void resetForgetsEverything() {
        signal.acked(1).lost(2).marks(3, 4).rtt(5, 6, 7, 8).reset();
        assertThat(signal.ackedBytes() + signal.lostBytes() + signal.rxPacketsDelta() + signal.cePacketsDelta())
                .isZero();
        assertThat(signal.rttNs() + signal.srttNs() + signal.baseRttNs() + signal.roundMinRttNs())
                .isZero();
    }
}
