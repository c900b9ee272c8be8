package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import io.metaroce.param.Profiles;
import io.metaroce.param.RateConfig;
import org.junit.jupiter.api.Test;

class FairShareTest {
    private static final long C = 50_000_000_000L;
    private static final long RTT = 12_000;
    private static final int COST = 4218;
    private static final long BACKLOG = 1L << 40;

    private final FairShare all = new FairShare(Profiles.model().rate());
    private long nowNs;

    @Test
    void aLoneSenderGetsEverything() {
        assertThat(hint(backlogged())).isEqualTo(exact(C));
    }

    @Test
    @Covers("R-HINT-011")
    void aQueueThatEverybodyMeetsIsSeenByTheStampsOfPackets() {
        FairShare udp = new FairShare(Profiles.udp().rate());
        long[] before = {all.capacityBytesPerSecond(), udp.capacityBytesPerSecond()};
        for (FairShare shares : new FairShare[] {all, udp}) {
            InboundShare[] senders = {shares.join(1, 0), shares.join(1, 0)};
            // Half of what the line takes, and every packet is 30 us late after the first ones.
            for (int i = 0; i < 66_000; i++) {
                nowNs += 2 * COST * 1_000_000_000L / C;
                boolean isLate = i > 60_000;
                senders[i & 1].onStamp(nowNs, (int) ((nowNs - (isLate ? 30_000 : 0)) >>> 4), isLate);
                senders[i & 1].onArrival(nowNs, COST, 0);
                if (i % 20 < 2) {
                    senders[i & 1].hint(nowNs, RTT);
                }
            }
        }
        assertThat(all.capacityBytesPerSecond()).isLessThan(before[0] * 6 / 10);
        assertThat(udp.capacityBytesPerSecond())
                .as("such a host adds delay itself")
                .isEqualTo(before[1]);
    }

    @Test
    @Covers("R-HINT-003")
    void aNewSenderChangesTheVeryNextHintOfEverybody() {
        InboundShare first = backlogged();
        InboundShare second = backlogged();
        assertThat(hint(first)).isEqualTo(exact(C / 2));
        InboundShare third = all.join(1, 0);
        third.onArrival(nowNs, COST, 0);
        assertThat(hint(first)).isEqualTo(exact(C / 3));
        assertThat(hint(second)).isEqualTo(exact(C / 3));
        assertThat(hint(third)).isEqualTo(exact(C / 3));
    }

    @Test
    void aSenderThatIsNotActiveHearsWhatItWouldGet() {
        InboundShare first = backlogged();
        InboundShare idle = all.join(1, 0);
        assertThat(hint(idle)).isEqualTo(exact(C / 2));
        assertThat(idle.isActive()).isFalse();
        assertThat(hint(first)).isEqualTo(exact(C));
    }

    @Test
    @Covers("R-HINT-004")
    void whatASmallSenderLeavesIsOfferedToTheOthersAtOnce() {
        InboundShare big = backlogged();
        InboundShare small = all.join(1, 0);
        small.onArrival(nowNs, COST, 0);
        small.onDemand(nowNs, C / 10 * RTT / 1_000_000_000L, 1);
        // Twice its demand, or its equal part.
        assertThat(hint(small)).isEqualTo(exact(C / 2));
        assertThat(small.isSatisfied()).isTrue();
        assertThat(hint(big)).isEqualTo(exact(C / 10 * 9));
    }

    @Test
    void aDemandThatGrowsCountsBeforeItsOwnNextAck() {
        InboundShare big = backlogged();
        InboundShare small = all.join(1, 0);
        small.onArrival(nowNs, COST, 0);
        small.onDemand(nowNs, 0, 1);
        hint(small);
        assertThat(hint(big)).isEqualTo(exact(C));
        small.onDemand(nowNs, BACKLOG, 2);
        assertThat(hint(big)).isEqualTo(exact(C / 2));
    }

    @Test
    void anOlderAnnouncementChangesNothing() {
        InboundShare big = backlogged();
        InboundShare small = all.join(1, 0);
        small.onArrival(nowNs, COST, 0);
        small.onDemand(nowNs, 0, 5);
        hint(small);
        small.onDemand(nowNs, BACKLOG, 4);
        hint(small);
        assertThat(hint(big)).isEqualTo(exact(C));
        small.onDemand(nowNs, BACKLOG, Integer.MIN_VALUE + 4);
        hint(small);
        assertThat(hint(big)).isEqualTo(exact(C / 2));
    }

    @Test
    void theLargestAnnouncementMeansThatMuchOrMore() {
        // At 100 ms and 50 Gbyte/s a share is 5 GB, far above the largest code.
        InboundShare one = all.join(1, 0);
        one.onArrival(nowNs, COST, 0);
        one.onDemand(nowNs, Minifloat.decodeDemand(0xFF), 1);
        one.hint(nowNs, 100_000_000);
        assertThat(one.isSatisfied()).isFalse();
        one.onDemand(nowNs, Minifloat.decodeDemand(0xFE), 2);
        one.hint(nowNs, 100_000_000);
        assertThat(one.isSatisfied()).isTrue();
    }

    @Test
    void aPeerThatCannotSendMoreIsSatisfied() {
        InboundShare big = backlogged();
        InboundShare slow = all.join(1, C / 100);
        slow.onArrival(nowNs, COST, 0);
        slow.onDemand(nowNs, BACKLOG, 1);
        hint(slow);
        assertThat(slow.isSatisfied()).isTrue();
        assertThat(hint(big)).isEqualTo(exact(C - C / 100));
    }

    @Test
    @Covers("R-HINT-004")
    void aSenderThatIsLimitedElsewhereLeavesTheRest() {
        InboundShare big = backlogged();
        InboundShare slow = backlogged();
        int rounds = 0;
        while (!slow.isSatisfied() && rounds < 40) {
            // A tenth of the line: 60,000 bytes per round trip; the other takes what it is given.
            long given = Minifloat.decodeHint(big.hint(nowNs, RTT)) * RTT / 1_000_000_000L;
            for (int i = 0; i < 12; i++) {
                slow.onArrival(nowNs, 5_000, 0);
                big.onArrival(nowNs, (int) (given / 12), 0);
                nowNs += RTT / 12;
            }
            hint(slow);
            rounds++;
        }
        // Eight to grow, two to be believed.
        assertThat(rounds).isBetween(9, 12);
        assertThat(slow.demandBytesPerSecond()).isBetween(C / 8 * 98 / 100, C / 8 * 102 / 100);
        assertThat(hint(slow)).isEqualTo(exact(C / 2));
        assertThat(Minifloat.decodeHint(hint(big))).isGreaterThan(C * 85 / 100);
    }

    @Test
    void silentSendersAreLetGo() {
        InboundShare first = backlogged();
        InboundShare second = backlogged();
        assertThat(hint(first)).isEqualTo(exact(C / 2));
        assertThat(hint(second)).isEqualTo(exact(C / 2));
        nowNs += 2 * RTT + 1;
        first.onArrival(nowNs, COST, 0);
        assertThat(hint(first)).isEqualTo(exact(C));
        assertThat(second.isActive()).isFalse();
    }

    @Test
    void aSmallShareIsGivenThreePacketsTime() {
        RateConfig slow = Profiles.model().rate().withLineRate(10_000_000, 10_000_000);
        FairShare small = new FairShare(slow);
        InboundShare first = small.join(1, 0);
        InboundShare second = small.join(1, 0);
        first.onArrival(0, COST, 0);
        second.onArrival(0, COST, 0);
        first.hint(0, RTT);
        second.hint(0, RTT);
        // Three packets at 5 Mbyte/s are 2.5 ms.
        first.hint(2_500_000, RTT);
        assertThat(second.isActive()).isTrue();
        first.onArrival(2_600_000, COST, 0);
        first.hint(2_600_000, RTT);
        assertThat(second.isActive()).isFalse();
    }

    @Test
    void onASoftwareHostSilenceIsAsLongAsAHintIsFresh() {
        FairShare udp = new FairShare(Profiles.udp().rate());
        InboundShare first = udp.join(1, 0);
        InboundShare second = udp.join(1, 0);
        first.onArrival(0, COST, 0);
        second.onArrival(0, COST, 0);
        first.onArrival(5_000_000, COST, 0);
        first.hint(5_000_000, RTT);
        assertThat(second.isActive()).isTrue();
        first.hint(5_000_001, RTT);
        assertThat(second.isActive()).isFalse();
    }

    @Test
    void aFinishedSenderLeavesAtOnce() {
        InboundShare first = backlogged();
        InboundShare second = backlogged();
        second.onFinished();
        assertThat(hint(first)).isEqualTo(exact(C));
        second.leave();
        assertThat(all.activeWeight()).isEqualTo(1);
    }

    @Test
    void lostCapacityLowersTheNextHint() {
        InboundShare first = backlogged();
        assertThat(hint(first)).isEqualTo(exact(C));
        all.inboundBytesPerSecond(C / 2);
        assertThat(hint(first)).isEqualTo(exact(C / 2));
        assertThat(all.capacityBytesPerSecond()).isEqualTo(C / 2);
    }

    @Test
    void allReadsOfOnePassAreActiveBeforeTheFirstRequestLeaves() {
        InboundShare[] peers = new InboundShare[4];
        for (int i = 0; i < peers.length; i++) {
            peers[i] = all.join(1, 0);
            peers[i].onReadOutstanding(nowNs, 1 << 20);
        }
        for (InboundShare peer : peers) {
            assertThat(peer.requestHint(nowNs, RTT)).isEqualTo(exact(C / 4));
        }
        peers[0].onReadOutstanding(nowNs, 0);
        assertThat(peers[0].isActive()).isTrue();
    }

    @Test
    void whoWasAskedMayBeSilentForThreePacketsOfItsShare() {
        InboundShare[] peers = new InboundShare[1000];
        for (int i = 0; i < peers.length; i++) {
            peers[i] = all.join(1, 0).packets(4218);
            peers[i].onReadOutstanding(nowNs, 1 << 20);
        }
        for (InboundShare peer : peers) {
            peer.requestHint(nowNs, RTT);
        }
        nowNs += 3 * 4218 * 1000L * 1_000_000_000L / C - 1_000;
        assertThat(peers[0].requestHint(nowNs, RTT)).isEqualTo(exact(C / 1000));
        nowNs += 2_000;
        peers[0].requestHint(nowNs, RTT);
        assertThat(all.activeWeight()).isZero();
    }

    @Test
    void aSmallReadIsSatisfied() {
        InboundShare big = backlogged();
        InboundShare reader = all.join(1, 0);
        reader.onReadOutstanding(nowNs, 6_000);
        reader.requestHint(nowNs, RTT);
        assertThat(reader.isSatisfied()).isTrue();
        assertThat(hint(big)).isEqualTo(exact(C - 500_000_000));
    }

    @Test
    void theExpectedFanInLowersTheHintOfARequestOnly() {
        FairShare expecting = new FairShare(new RateConfig(C, C, 0, 0, 0, 100, true));
        InboundShare peer = expecting.join(1, 0);
        peer.onReadOutstanding(0, 1 << 20);
        assertThat(peer.requestHint(0, RTT)).isEqualTo(exact(C / 100));
        assertThat(peer.hint(0, RTT)).isEqualTo(exact(C));
    }

    @Test
    @Covers("R-HINT-010")
    void aShareThatHasGrownIsNewsOncePerRoundTrip() {
        InboundShare first = backlogged();
        InboundShare second = backlogged();
        hint(first);
        hint(second);
        assertThat(all.pollNews(nowNs)).isNull();
        second.onFinished();
        assertThat(all.pollNews(nowNs)).isNull();
        nowNs += RTT;
        first.onArrival(nowNs, COST, 0);
        InboundShare news = all.pollNews(nowNs);
        assertThat(news).isSameAs(first);
        assertThat(hint(first)).isEqualTo(exact(C));
        nowNs += RTT;
        assertThat(all.pollNews(nowNs)).isNull();
    }

    @Test
    void newsIsLookedForInTurn() {
        InboundShare[] crowd = new InboundShare[4];
        for (int i = 0; i < crowd.length; i++) {
            crowd[i] = backlogged();
        }
        for (InboundShare share : crowd) {
            hint(share);
        }
        crowd[3].onFinished();
        crowd[2].onFinished();
        nowNs += RTT;
        assertThat(all.pollNews(nowNs)).isSameAs(crowd[0]);
        assertThat(all.pollNews(nowNs)).isSameAs(crowd[1]);
        assertThat(all.pollNews(nowNs)).isSameAs(crowd[0]);
        crowd[1].onFinished();
        assertThat(all.pollNews(nowNs)).isSameAs(crowd[0]);
        crowd[0].onFinished();
        assertThat(all.pollNews(nowNs)).isNull();
    }

    @Test
    @Covers("R-HINT-013")
    void whoSendsMoreThanTwiceItsShareForEightRoundTripsLosesTheExcess() {
        InboundShare keeps = backlogged();
        InboundShare exceeds = backlogged();
        InboundShare[] others = new InboundShare[8];
        for (int i = 0; i < others.length; i++) {
            others[i] = backlogged();
        }
        hint(keeps);
        hint(exceeds);
        long share = C / 10;
        long packetNs = COST * 1_000_000_000L / share;
        int dropped = 0;
        int droppedEarly = 0;
        for (int i = 0; i < 4_000; i++) {
            nowNs += packetNs / 5;
            exceeds.onArrival(nowNs, COST, 0);
            boolean drop = exceeds.isExcess(nowNs);
            dropped += drop ? 1 : 0;
            droppedEarly += drop && nowNs < 8 * RTT ? 1 : 0;
            if (i % 5 == 0) {
                keeps.onArrival(nowNs, COST, 0);
                assertThat(keeps.isExcess(nowNs)).isFalse();
                for (InboundShare other : others) {
                    other.onArrival(nowNs, COST, 0);
                }
            }
            if (i % 20 == 0) {
                hint(keeps);
                hint(exceeds);
            }
        }
        assertThat(droppedEarly).isZero();
        // It sent five times its share, and twice of it was let through.
        assertThat(dropped).isBetween(4_000 * 2 / 5, 4_000 * 3 / 5);
        nowNs += 10 * RTT;
        exceeds.onArrival(nowNs, COST, 0);
        assertThat(exceeds.isExcess(nowNs)).isFalse();
    }

    private InboundShare backlogged() {
        InboundShare share = all.join(1, 0);
        share.onArrival(nowNs, COST, 0);
        share.onDemand(nowNs, BACKLOG, 1);
        return share;
    }

    private int hint(InboundShare share) {
        return share.hint(nowNs, RTT);
    }

    private static int exact(long bytesPerSecond) {
        return Minifloat.encodeHint(bytesPerSecond);
    }

    @Test
    @Covers("R-HINT-010")
    void newsIsToldWithinAHundredthOfTheReverseRate() {
        int[] told = {0};
        int count = 4;
        InboundShare[] peers = new InboundShare[count];
        for (int i = 0; i < count; i++) {
            peers[i] = all.join(1, 0).news(() -> told[0]++);
            peers[i].onArrival(0, 4_000, 0);
            peers[i].onDemand(0, 1L << 40, 1);
        }
        for (InboundShare peer : peers) {
            peer.hint(0, RTT);
        }
        peers[0].onFinished();
        peers[1].onFinished();
        for (int i = 0; i < 100; i++) {
            all.tellNews(2 * RTT);
        }
        // All at one instant: one report, since the next may leave only when a hundred times its length has passed.
        assertThat(told[0]).isEqualTo(1);
    }

    @Test
    void aSenderThatSaysNothingFollowsLeavesItsShareAtOnceUnlessMoreIsAskedOfIt() {
        InboundShare peer = all.join(1, 0);
        peer.onArrival(0, 4_000, 0);
        peer.onDemand(0, 0, 1);
        peer.onReadOutstanding(0, 1_000);
        peer.onDrained();
        assertThat(peer.isActive()).isTrue();
        peer.onReadOutstanding(0, 0);
        peer.onDemand(0, 1_000, 2);
        peer.onDrained();
        assertThat(peer.isActive()).isTrue();
        peer.onDemand(0, 0, 3);
        peer.onDrained();
        assertThat(peer.isActive()).isFalse();
    }
}
