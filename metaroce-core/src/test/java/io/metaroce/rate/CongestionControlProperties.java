package io.metaroce.rate;

import static io.metaroce.rate.Rig.LINE;
import static io.metaroce.rate.Rig.Q;
import static io.metaroce.rate.Rig.RTT;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Entropy;
import io.metaroce.num.FixedPoint;
import io.metaroce.num.Minifloat;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.Profiles;
import io.metaroce.param.RateConfig;
import io.metaroce.rate.Rig.Marks;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class CongestionControlProperties {
    private static final int STEPS = 300;

    @Property(tries = 200)
    @Covers("R-CC-001")
    void aMarkChangesTheWindowOfNoOtherPath(@ForAll long seed, @ForAll @IntRange(min = 2, max = 32) int paths) {
        Entropy chance = new SplitMix64(seed);
        Rig rig = new Rig(paths);
        for (int i = 0; i < STEPS; i++) {
            anything(rig, chance, paths);
            rig.fill();
            int path = chance.nextInt(paths);
            int packets = (int) (rig.control.inFlightBytes(path) / Q);
            if (packets > 0) {
                long[] before = rig.windows();
                rig.block(path, packets, 1 + chance.nextInt(packets), 0);
                long[] after = rig.windows();
                assertThat(after[path]).isLessThanOrEqualTo(before[path]);
                before[path] = after[path];
                assertThat(after).containsExactly(before);
            }
        }
    }

    @Property(tries = 200)
    @Covers("R-CC-004")
    void withFewerThanHalfHotTheConnectionsWindowIsNotReduced(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 32) int paths) {
        Entropy chance = new SplitMix64(seed);
        Rig rig = new Rig(paths);
        for (int i = 0; i < STEPS; i++) {
            anything(rig, chance, paths);
            rig.fill();
            int path = chance.nextInt(paths);
            int packets = (int) (rig.control.inFlightBytes(path) / Q);
            if (packets > 0) {
                long before = rig.control.windowBytes();
                rig.block(path, packets, 1 + chance.nextInt(packets), 0);
                int hot = 0;
                for (int p = 0; p < paths; p++) {
                    hot += rig.control.isHot(rig.nowNs, p) ? 1 : 0;
                }
                if (2 * hot < paths) {
                    assertThat(rig.control.windowBytes()).isGreaterThanOrEqualTo(before);
                }
            }
        }
    }

    @Property(tries = 200)
    @Covers("R-CC-009")
    void marksNeverHalveMoreThanOncePerRound(@ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int paths) {
        Entropy chance = new SplitMix64(seed);
        Rig rig = new Rig(paths);
        rig.roundTrip(Marks.NONE).hint(LINE);
        for (int round = 0; round < 10; round++) {
            rig.after(RTT);
            long start = rig.control.windowBytes();
            long[] starts = rig.windows();
            for (int i = 0; i < 40; i++) {
                rig.after(RTT / 50);
                int path = chance.nextInt(paths);
                int packets = 1 + chance.nextInt(60);
                rig.send(path, packets).ackMarked(path, packets).hint(LINE);
                assertThat(rig.control.windowBytes()).isGreaterThanOrEqualTo(start / 2);
                assertThat(rig.control.windowBytes(path)).isGreaterThanOrEqualTo(starts[path] / 2);
            }
        }
    }

    @Property(tries = 200)
    @Covers("R-CC-003")
    void whateverHappensTheFloorsHoldAndPermissionStaysInsideTheWindows(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 32) int paths) {
        Entropy chance = new SplitMix64(seed);
        Rig rig = new Rig(paths);
        for (int i = 0; i < STEPS; i++) {
            anything(rig, chance, paths);
            int path = chance.nextInt(paths);
            long flying = rig.control.inFlightBytes();
            if (flying > 0 && rig.control.connectionHasRoom(rig.nowNs, Q)) {
                assertThat(flying + Q).isLessThanOrEqualTo(rig.control.windowBytes());
            }
            if (rig.control.inFlightBytes(path) > 0 && rig.control.pathHasRoom(path, Q)) {
                assertThat(rig.control.inFlightBytes(path) + Q).isLessThanOrEqualTo(rig.control.windowBytes(path));
            }
            if (rig.control.inFlightBytes(path) == 0) {
                assertThat(rig.control.pathHasRoom(path, Q)).isTrue();
            }
            assertThat(rig.control.windowBytes()).isBetween(Q / 16L, 900_000L);
            assertThat(rig.control.windowBytes(path)).isGreaterThanOrEqualTo(Q);
            assertThat(rig.control.rateBytesPerSecond()).isBetween(10L * Q, LINE);
            long sum = 0;
            for (int p = 0; p < paths; p++) {
                sum += rig.control.inFlightBytes(p);
            }
            assertThat(rig.control.inFlightBytes()).isEqualTo(sum);
        }
    }

    @Property(tries = 100)
    @Covers("R-CC-014")
    void equalInputsGiveEqualWindowsRatesAndHints(@ForAll long seed, @ForAll @IntRange(min = 1, max = 16) int paths) {
        Entropy chance = new SplitMix64(seed);
        Entropy again = new SplitMix64(seed);
        Rig rig = new Rig(paths);
        Rig twin = new Rig(paths);
        for (int i = 0; i < STEPS; i++) {
            anything(rig, chance, paths);
            anything(twin, again, paths);
            assertThat(twin.windows()).containsExactly(rig.windows());
            assertThat(twin.control.windowBytes()).isEqualTo(rig.control.windowBytes());
            assertThat(twin.control.rateBytesPerSecond()).isEqualTo(rig.control.rateBytesPerSecond());
            assertThat(twin.control.nextDepartureNs()).isEqualTo(rig.control.nextDepartureNs());
        }
    }

    @Example
    @Covers("R-CC-014")
    void aLongRunHasTheSameResultOnEveryPlatform() {
        Entropy chance = new SplitMix64(20260824);
        Rig rig = new Rig(16);
        long hash = 0;
        for (int i = 0; i < 20_000; i++) {
            anything(rig, chance, 16);
            hash = hash * 31 + rig.control.windowBytes();
            hash = hash * 31 + rig.control.windowBytes(i & 15);
            hash = hash * 31 + rig.control.rateBytesPerSecond();
            hash = hash * 31 + rig.control.nextDepartureNs();
        }
        // Changes whenever a law changes, and only then.
        assertThat(hash).isEqualTo(-8518556917026826723L);
    }

    @Example
    @Covers("R-CC-011")
    void growthPerRoundTripDoesNotDependOnTheNumberOfPaths() {
        long[] grown = new long[6];
        for (int i = 0; i < grown.length; i++) {
            ToyNetwork network = new ToyNetwork(new ToyNetwork.World(
                    Profiles.model().rate(), 1, 1 << i, LINE, RTT, 3_000_000, 0, 4, 1_000, ToyNetwork.Marking.NONE));
            network.start(0, 1);
            network.runUntil(2 * RTT);
            CongestionControl control = network.senders.get(0).control;
            long before = control.windowBytes();
            network.runUntil(5 * RTT);
            grown[i] = control.windowBytes() - before;
        }
        for (long bytes : grown) {
            assertThat(bytes).isBetween(grown[5] * 9 / 10, grown[5] * 11 / 10);
        }
    }

    @Property(tries = 100)
    void nothingOverflowsAtTheEdgesOfTheRange(
            @ForAll long seed,
            @ForAll @LongRange(min = 1_000_000, max = 1_000_000_000_000L) long rate,
            @ForAll @LongRange(min = 1, max = 100_000_000) long rttNs) {
        RateConfig config = Profiles.model().rate().withLineRate(rate, rate);
        CongestionControl control = new CongestionControl(config, 4, 8192);
        int cost = 8192 + CongestionControl.PACKET_OVERHEAD_BYTES;
        control.startWith(rttNs, Long.MAX_VALUE);
        Entropy chance = new SplitMix64(seed);
        for (int i = 0; i < 4; i++) {
            control.activate(i);
        }
        RateSignal signal = new RateSignal();
        long most = Math.max(FixedPoint.mulDiv(rate, rttNs, 1_000_000_000L) * 3 / 2 + 1, 4L * cost);
        long now = 0;
        for (int i = 0; i < 200; i++) {
            now += rttNs / 4 + 1;
            int path = i & 3;
            int packets = 0;
            while (packets < 50 && control.connectionHasRoom(now, cost) && control.pathHasRoom(path, cost)) {
                control.onSent(now, path, cost);
                packets++;
            }
            int marked = chance.nextInt(4) == 0 ? packets : 0;
            signal.reset().acked((long) packets * cost).marks(packets, marked).rtt(rttNs, rttNs, rttNs, rttNs);
            for (int p = 0; p < packets; p++) {
                control.onLeft(path, cost);
            }
            control.onSignal(now, path, signal);
            control.onHint(now, Minifloat.encodeHint(rate >>> chance.nextInt(8)));
            assertThat(control.windowBytes()).isBetween(cost / 16L, Math.max(most, 65_536 * 2));
            assertThat(control.windowBytes(path)).isGreaterThanOrEqualTo(cost);
            assertThat(control.rateBytesPerSecond()).isBetween(10L * cost, Math.max(rate, 10L * cost));
            assertThat(control.nextDepartureNs()).isGreaterThanOrEqualTo(0);
        }
    }

    /** One step of a life: time passes, packets leave, are acknowledged, marked, lost; hints come; paths time out. */
    private static void anything(Rig rig, Entropy chance, int paths) {
        rig.after(chance.nextInt(6_000));
        int path = chance.nextInt(paths);
        int flying = (int) (rig.control.inFlightBytes(path) / Q);
        rig.roundMinNs = RTT + chance.nextInt(5_000);
        rig.srttNs = rig.roundMinNs + chance.nextInt(2_000);
        switch (chance.nextInt(12)) {
            case 0, 1, 2, 3 -> rig.fill();
            case 4, 5, 6 -> rig.block(path, flying, 0, 0);
            case 7 -> rig.block(path, flying, flying / 2, 0);
            case 8 -> rig.block(path, flying / 2, 0, flying - flying / 2);
            case 9 -> rig.hint(LINE >>> chance.nextInt(5));
            case 10 -> rig.block(path, flying / 2, flying / 4, flying / 3);
            default -> {
                switch (chance.nextInt(8)) {
                    case 0 -> rig.control.onTimeout(rig.nowNs, path);
                    case 1 -> rig.control.onRebound(rig.nowNs, path, chance.nextInt(paths));
                    case 2 -> rig.control.onRebound(rig.nowNs, path, -1);
                    case 3 -> rig.after(chance.nextInt(1_000_000));
                    case 4 -> rig.control.onHint(rig.nowNs, Minifloat.HINT_PAUSE);
                    default -> rig.hint(LINE);
                }
            }
        }
    }
}
