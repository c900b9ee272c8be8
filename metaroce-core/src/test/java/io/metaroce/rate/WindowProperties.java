package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Entropy;
import io.metaroce.num.Minifloat;
import io.metaroce.num.SplitMix64;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** The small classes against twins that are slow and obvious. */
class WindowProperties {
    private static final int Q = 4218;
    private static final long RTT = 12_000;
    private static final int STEPS = 200;

    @Property(tries = 200)
    @Covers("R-CC-009")
    void theSumOfThePathWindowsIsTheirSum(@ForAll long seed, @ForAll @IntRange(min = 1, max = 32) int count) {
        PathWindows paths = new PathWindows(count, Q);
        long[] atRoundStart = new long[count];
        Entropy chance = new SplitMix64(seed);
        for (int i = 0; i < STEPS; i++) {
            int path = chance.nextInt(count);
            long before = paths.windowBytes(path);
            switch (chance.nextInt(6)) {
                case 0 -> paths.activate(path);
                case 1 -> paths.deactivate(path);
                case 2 -> paths.resize(path, chance.nextInt(1 << 20));
                case 3 -> {
                    paths.beginRound(path);
                    atRoundStart[path] = before;
                }
                case 4 -> paths.baseRtt(path, chance.nextInt(3) == 0 ? 0 : 1 + chance.nextInt(1 << 20));
                default -> {
                    paths.trim(path, chance.nextInt(1 << 20));
                    assertThat(paths.windowBytes(path))
                            .isBetween(Math.max(Q, Math.min(before, atRoundStart[path] / 2)), before);
                }
            }
            long sum = 0;
            long base = 0;
            int active = 0;
            for (int p = 0; p < count; p++) {
                assertThat(paths.windowBytes(p)).isGreaterThanOrEqualTo(Q);
                if (paths.isActive(p)) {
                    active++;
                    sum += paths.windowBytes(p);
                    long its = paths.baseRttNs(p);
                    base = its != 0 && (base == 0 || its < base) ? its : base;
                }
            }
            assertThat(paths.sumBytes()).isEqualTo(sum);
            assertThat(paths.activeCount()).isEqualTo(active);
            assertThat(paths.baseRttNs()).isEqualTo(base);
        }
    }

    @Property(tries = 200)
    void theMedianOfTheOthersIsThatOfTheSortedOnes(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 40) int count,
            @ForAll @IntRange(max = 31) int widthBits) {
        PathWindows paths = new PathWindows(count, 1);
        Entropy chance = new SplitMix64(seed);
        for (int path = 0; path < count; path++) {
            paths.resize(path, chance.nextLong() >>> (63 - widthBits));
            if (chance.nextInt(4) != 0) {
                paths.activate(path);
            }
        }
        for (int without = 0; without < count; without++) {
            List<Long> sorted = new ArrayList<>();
            for (int path = 0; path < count; path++) {
                if (path != without && paths.isActive(path)) {
                    sorted.add(paths.windowBytes(path));
                }
            }
            Collections.sort(sorted);
            long median = sorted.isEmpty() ? 0 : sorted.get((sorted.size() - 1) / 2);
            assertThat(paths.medianBytes(without)).isEqualTo(median);
        }
    }

    @Example
    void aWindowWiderThanAnyPathCanFillIsTheWidest() {
        PathWindows paths = new PathWindows(2, Q);
        paths.activate(0);
        paths.activate(1);
        paths.resizeAll(100_000_000_000L);
        assertThat(paths.windowBytes(0)).isEqualTo(Integer.MAX_VALUE);
        assertThat(paths.sumBytes()).isEqualTo(2L * Integer.MAX_VALUE);
        assertThat(paths.medianBytes(0)).isEqualTo(Integer.MAX_VALUE);
        paths.trim(0, 10);
        assertThat(paths.windowBytes(0)).isEqualTo(Integer.MAX_VALUE - 10);
    }

    /** Flight of each path on its own, as it is of the connection. */
    @Property(tries = 200)
    @Covers("R-CC-010")
    void theTableOfFlightsIsAFlightForEachPath(@ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int count) {
        PathFlights table = new PathFlights(count, 2 * Q);
        Flight[] twins = new Flight[count];
        Arrays.setAll(twins, path -> new Flight(2 * Q));
        Entropy chance = new SplitMix64(seed);
        long now = 0;
        for (int i = 0; i < STEPS; i++) {
            int path = chance.nextInt(count);
            switch (chance.nextInt(5)) {
                case 0 -> now += chance.nextInt(3);
                case 1 -> {
                    table.onSent(path, Q);
                    twins[path].onSent(Q);
                }
                case 2 -> {
                    int left = table.bytes(path) / 2;
                    table.onLeft(path, left);
                    twins[path].onLeft(left);
                }
                default -> {
                    long window = chance.nextInt(8 * Q);
                    table.onSignal(now, path, window);
                    twins[path].onSignal(now, window);
                    assertThat(table.wasUsed(path)).isEqualTo(twins[path].wasUsed());
                }
            }
            for (int p = 0; p < count; p++) {
                assertThat(table.bytes(p)).isEqualTo((int) twins[p].bytes());
            }
        }
    }

    /** The window of the connection in exact arithmetic, one rule a line. */
    private static final class ExactWindow {
        long bytes = 4 * Q;
        long atRoundStart = 4 * Q;

        void grow(long increase, long acked, long max) {
            long step = BigInteger.valueOf(increase)
                    .multiply(BigInteger.valueOf(acked))
                    .divide(BigInteger.valueOf(Math.max(bytes, Q)))
                    .longValueExact();
            bytes = Math.max(bytes, Math.min(bytes + step, max));
        }

        void trim(long cut) {
            long floor = Math.min(bytes, Math.max(atRoundStart / 2, Q / 16));
            bytes = Math.max(bytes - cut, floor);
        }
    }

    @Property(tries = 200)
    @Covers({"R-CC-009", "R-CC-014"})
    void theWindowOfTheConnectionIsExact(@ForAll long seed) {
        ConnectionWindow window = new ConnectionWindow(Q);
        ExactWindow exact = new ExactWindow();
        Entropy chance = new SplitMix64(seed);
        int rounds = 0; // in a row without disturbance, the running one not counted
        boolean disturbed = false;
        long now = 0;
        window.onDelivery(now, 0, RTT);
        for (int i = 0; i < STEPS; i++) {
            switch (chance.nextInt(5)) {
                case 0 -> {
                    now += RTT;
                    window.onDelivery(now, 0, RTT);
                    exact.atRoundStart = exact.bytes;
                    rounds = disturbed ? 0 : Math.min(rounds + 1, 3);
                    disturbed = false;
                }
                case 1 -> {
                    window.disturb();
                    rounds = 0;
                    disturbed = true;
                }
                case 2 -> {
                    long cut = chance.nextInt(1 << 18);
                    window.trim(cut);
                    exact.trim(cut);
                }
                default -> {
                    long increase = chance.nextInt(1 << 20);
                    long acked = chance.nextInt(1 << 20);
                    window.grow(increase, acked, 900_000);
                    exact.grow(increase, acked, 900_000);
                }
            }
            assertThat(window.windowBytes()).isEqualTo(exact.bytes);
            assertThat(window.exponent()).isEqualTo(rounds);
        }
    }

    @Property(tries = 500)
    @Covers("R-HINT-005")
    void anAgedHintNeverShrinksUntilItIsForgotten(
            @ForAll @LongRange(min = 1, max = 50_000_000_000L) long rate,
            @ForAll @LongRange(min = 1_000, max = 10_000_000) long rttNs,
            @ForAll @IntRange(min = 0, max = 5_000_000) int floorNs) {
        LineModel line = new LineModel(50_000_000_000L, 0, Q);
        line.rtt0Ns(rttNs);
        HintLimiter hint = new HintLimiter(line, floorNs);
        int code = Minifloat.encodeHint(rate);
        hint.onHint(0, code, rttNs);
        long before = 0;
        for (long now = 0; !hint.isForgotten(now) && now < 200 * rttNs; now += rttNs / 2 + 1) {
            long at = hint.bytesPerSecond(now);
            assertThat(at).isBetween(before, line.lineBytesPerSecond());
            if (!hint.isStale(now) && !Minifloat.isPause(code)) {
                assertThat(at).isEqualTo(Math.max(Minifloat.decodeHint(code), 1));
            }
            before = at;
        }
    }

    @Property(tries = 1000)
    @Covers("R-HINT-001")
    void hintsKeepTheOrderOfRates(
            @ForAll @LongRange(min = 0, max = 1_000_000_000_000L) long a,
            @ForAll @LongRange(min = 0, max = 1_000_000_000_000L) long b) {
        int codeA = Minifloat.encodeHint(Math.min(a, b));
        int codeB = Minifloat.encodeHint(Math.max(a, b));
        assertThat(Minifloat.decodeHint(codeA)).isLessThanOrEqualTo(Minifloat.decodeHint(codeB));
        assertThat(codeA).isLessThanOrEqualTo(codeB);
    }
}
