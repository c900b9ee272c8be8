package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Entropy;
import io.metaroce.num.Minifloat;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.Profiles;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class FairShareProperties {
    private static final long C = 50_000_000_000L;
    private static final long RTT = 12_000;
    private static final int COST = 4218;
    private static final long BACKLOG = 1L << 40;

    /** Senders with weights and demands, the last in bytes per second; {@code C} or more is a backlog without end. */
    private static final class Crowd {
        final FairShare all = new FairShare(Profiles.model().rate());
        final InboundShare[] shares;
        final long[] weights;
        final long[] demands;
        final long[] hints;

        Crowd(Entropy chance, int senders, int weightMax) {
            shares = new InboundShare[senders];
            weights = new long[senders];
            demands = new long[senders];
            hints = new long[senders];
            for (int i = 0; i < senders; i++) {
                weights[i] = 1L + chance.nextInt(weightMax);
                shares[i] = all.join((int) weights[i], 0);
            }
        }

        void demand(int i, long bytesPerSecond, int stamp) {
            long bytes = bytesPerSecond >= C ? BACKLOG : bytesPerSecond * RTT / 1_000_000_000L;
            demands[i] = bytesPerSecond >= C ? C : bytes * 1_000_000_000L / RTT;
            shares[i].onArrival(0, COST, 0);
            shares[i].onDemand(0, bytes, stamp);
        }

        void tellEverybody() {
            for (int i = 0; i < shares.length; i++) {
                hints[i] = Minifloat.decodeHint(shares[i].hint(0, RTT));
            }
        }

        /** What R-HINT-002 adds up. */
        long promised() {
            long sum = 0;
            for (int i = 0; i < shares.length; i++) {
                sum += shares[i].isSatisfied() ? demands[i] : hints[i];
            }
            return sum;
        }

        /** The slow way to max-min: raise the level until the line is full. */
        long levelPerWeight() {
            long low = 0;
            long high = C;
            while (high - low > 1) {
                long level = (low + high) / 2;
                long used = 0;
                for (int i = 0; i < demands.length; i++) {
                    used += Math.min(demands[i], level * weights[i]);
                }
                if (used > C) {
                    high = level;
                } else {
                    low = level;
                }
            }
            return low;
        }
    }

    @Property(tries = 400)
    @Covers("R-HINT-002")
    void promisesNeverExceedTheCapacity(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int senders) {
        Entropy chance = new SplitMix64(seed);
        Crowd crowd = randomDemands(chance, new Crowd(chance, senders, 5));
        for (int pass = 0; pass < 3; pass++) {
            crowd.tellEverybody();
            assertThat(crowd.promised()).as("pass %s", pass).isLessThanOrEqualTo(C + C / 1024);
        }
    }

    @Property(tries = 400)
    @Covers({"R-HINT-002", "R-HINT-004"})
    void aFewPassesReachMaxMinFairness(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int senders) {
        Entropy chance = new SplitMix64(seed);
        Crowd crowd = randomDemands(chance, new Crowd(chance, senders, 5));
        int passes = 0;
        long[] before;
        do {
            before = crowd.hints.clone();
            crowd.tellEverybody();
            passes++;
        } while (!Arrays.equals(before, crowd.hints));
        assertThat(passes - 1).isLessThanOrEqualTo(5);
        long level = crowd.levelPerWeight();
        for (int i = 0; i < senders; i++) {
            long fair = Math.min(level * crowd.weights[i], C);
            if (crowd.demands[i] > fair + C / 1000) {
                assertThat(crowd.shares[i].isSatisfied()).isFalse();
                assertThat(crowd.hints[i]).isBetween(fair * 98 / 100, fair * 102 / 100 + 1);
            } else if (crowd.demands[i] < fair - C / 1000) {
                assertThat(crowd.shares[i].isSatisfied()).isTrue();
                // It may always grow: at least its equal part, or twice what it asks, as far as there is any.
                assertThat(crowd.hints[i]).isGreaterThanOrEqualTo(crowd.demands[i] * 99 / 100);
            }
        }
    }

    @Property(tries = 200)
    @Covers("R-HINT-002")
    void changedDemandsAreServedAfterOneMoreAckToEverybody(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 40) int senders) {
        Entropy chance = new SplitMix64(seed);
        Crowd crowd = randomDemands(chance, new Crowd(chance, senders, 1));
        crowd.tellEverybody();
        crowd.tellEverybody();
        for (int stamp = 1; stamp < 10; stamp++) {
            int changed = chance.nextInt(senders);
            crowd.demand(changed, chance.nextInt(3) == 0 ? C : C / senders * chance.nextInt(3), stamp);
            crowd.tellEverybody();
            crowd.tellEverybody();
            assertThat(crowd.promised()).isLessThanOrEqualTo(C + C / 1024);
        }
    }

    @Property(tries = 200)
    @Covers("R-HINT-003")
    void equalBackloggedSendersHaveEqualHintsAfterOneAckEach(@ForAll @IntRange(min = 1, max = 500) int senders) {
        Crowd crowd = new Crowd(new SplitMix64(1), senders, 1);
        for (int i = 0; i < senders; i++) {
            crowd.demand(i, C, 0);
            crowd.hints[i] = Minifloat.decodeHint(crowd.shares[i].hint(0, RTT));
            assertThat(crowd.hints[i]).isBetween(C / (i + 1) * 998 / 1000, C / (i + 1));
        }
        crowd.tellEverybody();
        for (long hint : crowd.hints) {
            assertThat(hint).isBetween(C / senders * 998 / 1000, C / senders);
        }
    }

    @Property(tries = 200)
    void weightsDivideInProportion(@ForAll long seed, @ForAll @IntRange(min = 1, max = 50) int senders) {
        Crowd crowd = new Crowd(new SplitMix64(seed), senders, 255);
        long sum = 0;
        for (int i = 0; i < senders; i++) {
            crowd.demand(i, C, 0);
            sum += crowd.weights[i];
        }
        crowd.tellEverybody();
        for (int i = 0; i < senders; i++) {
            long fair = C * crowd.weights[i] / sum;
            assertThat(crowd.hints[i]).isBetween(fair * 998 / 1000, fair);
        }
    }

    @Property(tries = 200)
    void afterAnyLifeTheSumsAreThoseOfTheActiveSenders(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int senders) {
        Entropy chance = new SplitMix64(seed);
        Crowd crowd = new Crowd(chance, senders, 9);
        long now = 0;
        for (int step = 0; step < 500; step++) {
            now += chance.nextInt(10_000);
            int i = chance.nextInt(senders);
            switch (chance.nextInt(6)) {
                case 0, 1 -> {
                    crowd.shares[i].onArrival(now, COST, 0);
                    crowd.shares[i].onDemand(now, chance.nextInt(1 << 20), step);
                }
                case 2 -> crowd.shares[i].onFinished();
                case 3 -> crowd.shares[i].onReadOutstanding(now, chance.nextInt(1 << 20));
                case 4 -> crowd.all.pollNews(now);
                default -> crowd.shares[i].hint(now, RTT);
            }
            long weight = 0;
            long demand = 0;
            for (int k = 0; k < senders; k++) {
                weight += crowd.shares[k].isActive() ? crowd.weights[k] : 0;
                demand += crowd.shares[k].isSatisfied() ? crowd.shares[k].demandBytesPerSecond() : 0;
            }
            assertThat(crowd.all.activeWeight()).isEqualTo(weight);
            assertThat(crowd.all.satisfiedDemand()).isEqualTo(demand);
        }
        for (InboundShare share : crowd.shares) {
            share.leave();
        }
        assertThat(crowd.all.activeWeight()).isZero();
        assertThat(crowd.all.satisfiedDemand()).isZero();
    }

    private static Crowd randomDemands(Entropy chance, Crowd crowd) {
        int senders = crowd.shares.length;
        for (int i = 0; i < senders; i++) {
            long part = C / senders;
            long demand = chance.nextInt(3) == 0 ? C : part / 100 * chance.nextInt(300);
            crowd.demand(i, demand, 0);
        }
        return crowd;
    }
}
