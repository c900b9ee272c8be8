package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import org.junit.jupiter.api.Test;

class LastHopTest {
    private static final long C = 12_500_000_000L;
    private static final long RTT = 10_000;
    private static final int PACKET = 4_000;
    private static final long GAP = 640; // half of what the line is said to take

    private final CapacityEstimate capacity = new CapacityEstimate(C);
    private final LastHop lastHop = new LastHop(capacity);
    private long nowNs;
    private boolean isMarked = true;

    @Test
    @Covers("R-HINT-011")
    void aQueueThatEverybodyMeetsLowersWhatIsSharedOut() {
        rounds(20, 30_000, 30_000);
        assertThat(capacity.bytesPerSecond()).isLessThan(C / 2);
    }

    @Test
    @Covers("R-HINT-011")
    void aQueueThatSomePacketsDoNotMeetIsElsewhere() {
        rounds(20, 30_000, 0);
        assertThat(capacity.deliveredBytesPerSecond()).isEqualTo(C);
    }

    @Test
    @Covers("R-HINT-011")
    void aQueueWithoutMarksMayBeTheSendersOwn() {
        isMarked = false;
        rounds(20, 30_000, 30_000);
        assertThat(capacity.deliveredBytesPerSecond()).isEqualTo(C);
    }

    @Test
    @Covers("R-HINT-011")
    void aMarkGrowsOldInRoundsThatSayNothing() {
        rounds(4, 0, 0);
        isMarked = false;
        for (int i = 0; i < 8; i++) {
            nowNs += 5 * RTT;
            arrive(0, true);
        }
        rounds(20, 30_000, 30_000);
        assertThat(capacity.deliveredBytesPerSecond()).isEqualTo(C);
    }

    @Test
    @Covers("R-HINT-011")
    void aMarkOfTheLastRoundsVouchesForAQueueOfUnmarkedPackets() {
        rounds(4, 0, 0);
        isMarked = false;
        rounds(7, 30_000, 30_000);
        assertThat(capacity.deliveredBytesPerSecond()).isLessThan(C * 9 / 10);
    }

    @Test
    @Covers("R-HINT-014")
    void whatWasLearnedWithoutAPlaneIsForgottenWhenItIsBack() {
        arrive(1, 30_000, true);
        rounds(40, 30_000, 30_000);
        assertThat(capacity.deliveredBytesPerSecond()).isLessThan(C / 100 * 55);
        arrive(0, 30_000, true);
        assertThat(capacity.deliveredBytesPerSecond()).isLessThan(C / 100 * 55);
        arrive(1, 30_000, true);
        assertThat(capacity.deliveredBytesPerSecond()).isEqualTo(C);
    }

    @Test
    @Covers("R-HINT-014")
    void aPlaneThatIsBackWithTheFirstPacketOfARoundWasAwayInTheRoundBefore() {
        rounds(20, 30_000, 30_000);
        assertThat(capacity.deliveredBytesPerSecond()).isLessThan(C / 100 * 55);
        nowNs += RTT;
        arrive(1, 30_000, true);
        assertThat(capacity.deliveredBytesPerSecond()).isEqualTo(C);
    }

    @Test
    void whoIsNewDoesNotKnowBetter() {
        for (int i = 0; i < 400; i++) {
            arrive(30_000, true);
            arrive(0, false);
        }
        assertThat(capacity.bytesPerSecond()).isLessThan(C / 2);
    }

    @Test
    void whoIsFarAwayIsCountedAndNotAsked() {
        for (int i = 0; i < 400; i++) {
            nowNs += GAP;
            lastHop.onArrival(nowNs, PACKET, 0, 30_000_000, true, true, 1_000_000, 4, 4);
        }
        assertThat(capacity.bytesPerSecond()).isEqualTo(C);
    }

    @Test
    void delayIsCountedFromTheLeastOfTheLastMilliseconds() {
        OneWayDelay delay = new OneWayDelay();
        int ahead = 0xFFFF_FF00; // the clock of the sender is near its end
        assertThat(delay.onPacket(16_000, ahead, RTT)).isZero();
        assertThat(delay.onPacket(32_000, ahead + 1_000, RTT)).isZero();
        assertThat(delay.onPacket(48_000, ahead + 1_500, RTT)).isEqualTo(8_000);
        assertThat(delay.isSettled()).isFalse();
        // The least of the span before still counts, that of the one before it no more.
        assertThat(delay.onPacket(1_600_000, ahead + 99_000 - 500, RTT)).isEqualTo(8_000);
        assertThat(delay.isSettled()).isTrue();
        assertThat(delay.onPacket(3_200_000, ahead + 199_000 - 1_000, RTT)).isEqualTo(8_000);
        // After a long silence nothing is known.
        assertThat(delay.onPacket(32_000_000, ahead, RTT)).isZero();
        assertThat(delay.isSettled()).isFalse();
    }

    private void rounds(int count, long excessNs, long otherNs) {
        for (int i = 0; i < count * RTT / GAP; i++) {
            arrive(i % 4 == 0 ? otherNs : excessNs, true);
        }
    }

    private void arrive(long excessNs, boolean settled) {
        arrive(0, excessNs, settled);
    }

    private void arrive(int plane, long excessNs, boolean settled) {
        nowNs += GAP;
        lastHop.onArrival(nowNs, PACKET, plane, excessNs, settled, isMarked, RTT, 4, 4);
    }
}
