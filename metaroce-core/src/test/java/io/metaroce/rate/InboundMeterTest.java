package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.num.Minifloat;
import org.junit.jupiter.api.Test;

class InboundMeterTest {
    private static final long RTT = 10_000;
    private static final long GRANTED = 1_000_000_000; // 10,000 bytes a round trip
    private static final int PACKET = 500;
    private final InboundMeter meter = new InboundMeter();
    private long nowNs = 1_000;

    InboundMeterTest() {
        meter.begin(nowNs);
    }

    @Test
    void nothingSaidIsMuchToSend() {
        assertThat(meter.backlogBytes()).isEqualTo(Long.MAX_VALUE);
        meter.onRead(7);
        assertThat(meter.backlogBytes()).isEqualTo(7);
        meter.onRead(0);
        assertThat(meter.backlogBytes()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theLatestAnnouncementRulesAndWhatWasAskedForCounts() {
        assertThat(meter.onDemand(500, 10)).isTrue();
        assertThat(meter.onDemand(400, 9)).isFalse();
        assertThat(meter.backlogBytes()).isEqualTo(500);
        assertThat(meter.onDemand(400, 10)).isTrue();
        assertThat(meter.backlogBytes()).isEqualTo(400);
        meter.onRead(450);
        assertThat(meter.backlogBytes()).isEqualTo(450);
        meter.onDemand(Minifloat.decodeDemand(0xFF), 11);
        assertThat(meter.backlogBytes()).isEqualTo(Long.MAX_VALUE);
        meter.begin(nowNs);
        assertThat(meter.onDemand(300, 5)).as("after silence stamps begin anew").isTrue();
    }

    @Test
    void theFirstRoundIsTheRateAndLaterOnesMoveItByAQuarter() {
        round(8_000);
        assertThat(meter.bytesPerSecond()).isEqualTo(800_000_000);
        round(4_000);
        assertThat(meter.bytesPerSecond()).isEqualTo(700_000_000);
    }

    @Test
    void aRoundIsNotOverBeforeItsRoundTrip() {
        meter.onArrival(8_000);
        nowNs += RTT - 1;
        meter.turn(nowNs, RTT, GRANTED);
        assertThat(meter.bytesPerSecond()).isZero();
        nowNs += 1;
        meter.turn(nowNs, RTT, GRANTED);
        assertThat(meter.bytesPerSecond()).isEqualTo(800_000_000);
        meter.turn(nowNs, 0, GRANTED);
        assertThat(meter.bytesPerSecond()).as("no time has passed").isEqualTo(800_000_000);
    }

    @Test
    void whoStaysBelowFourFifthsForTwoRoundsAfterGrowingIsLimitedElsewhere() {
        for (int i = 0; i < 8; i++) {
            round(7_900);
            assertThat(meter.isLimitedElsewhere()).as("round %s", i + 1).isFalse();
        }
        round(7_900);
        assertThat(meter.isLimitedElsewhere()).isTrue();
    }

    @Test
    void whoReachesFourFifthsIsNotLimitedElsewhere() {
        for (int i = 0; i < 20; i++) {
            round(8_000);
        }
        assertThat(meter.isLimitedElsewhere()).isFalse();
        round(7_000);
        assertThat(meter.isLimitedElsewhere()).isFalse();
        round(20_000);
        assertThat(meter.isLimitedElsewhere()).isFalse();
    }

    @Test
    void whoSendsTwiceItsShareKeepsToItAndWhoSendsMoreDoesNot() {
        round(20_000);
        for (int i = 0; i < 40; i++) {
            round(20_000);
        }
        assertThat(meter.exceeds(nowNs, RTT)).isFalse();
        long began = nowNs;
        for (int i = 0; i < 7; i++) {
            round(20_010);
        }
        assertThat(meter.exceeds(nowNs, RTT)).isFalse();
        round(20_010);
        assertThat(nowNs).isEqualTo(began + 8 * RTT);
        assertThat(meter.exceeds(nowNs, RTT)).isTrue();
        assertThat(meter.exceeds(nowNs, RTT + 1)).isFalse();
        round(20_000);
        assertThat(meter.exceeds(nowNs, RTT))
                .as("one round within it ends that")
                .isFalse();
    }

    @Test
    void aShareThatHasJustFallenIsComparedAsItWas() {
        round(20_000);
        nowNs += RTT;
        meter.onArrival(19_000);
        meter.turn(nowNs, RTT, GRANTED / 10);
        assertThat(meter.exceeds(nowNs + 100 * RTT, RTT)).isFalse();
    }

    @Test
    void beyondIsWhatComesAboveTwiceTheShareAndTwoPackets() {
        round(10_000);
        meter.onArrival(20_000 + 2 * PACKET);
        assertThat(meter.isBeyond(nowNs + RTT, RTT, GRANTED, PACKET)).isFalse();
        meter.onArrival(1);
        assertThat(meter.isBeyond(nowNs + RTT, RTT, GRANTED, PACKET)).isTrue();
        assertThat(meter.isBeyond(nowNs, RTT, GRANTED, PACKET))
                .as("a round trip at least")
                .isTrue();
        assertThat(meter.isBeyond(nowNs + 2 * RTT, RTT, GRANTED, PACKET)).isFalse();
        assertThat(meter.isBeyond(nowNs + RTT, RTT, 2 * GRANTED, PACKET)).isFalse();
        assertThat(meter.isBeyond(nowNs + RTT, RTT, GRANTED / 2, PACKET))
                .as("the share before counts")
                .isTrue();
    }

    private void round(int bytes) {
        meter.onArrival(bytes);
        nowNs += RTT;
        meter.turn(nowNs, RTT, GRANTED);
    }
}
