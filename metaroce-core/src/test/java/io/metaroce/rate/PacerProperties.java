package io.metaroce.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class PacerProperties {
    private static final int Q = 4218;
    private static final long MS = 1_000_000;

    /** Takes every chance to send, at instants that are late by what {@code delays} says. */
    @Property(tries = 300)
    @Covers("R-CC-008")
    void overAnyMillisecondTheRateIsKeptButForOneBurst(
            @ForAll @LongRange(min = 1_000_000, max = 50_000_000_000L) long bytesPerSecond,
            @ForAll @IntRange(min = 66, max = Q) int cost,
            @ForAll @Size(min = 1, max = 50) List<@IntRange(max = 300_000) Integer> delays) {
        long burst = 2 * Q;
        Pacer pacer = new Pacer(burst, Q, bytesPerSecond);
        ArrayDeque<Long> lastMillisecond = new ArrayDeque<>();
        long now = 0;
        int sent = 0;
        while (now < 3 * MS && sent < 50_000) {
            while (pacer.allows(now) && sent < 50_000) {
                pacer.onSent(now, cost);
                lastMillisecond.add(now);
                sent++;
                while (lastMillisecond.peekFirst() < now - MS) {
                    lastMillisecond.pollFirst();
                }
                // One burst, and the packet that the allowance of an instant lets through.
                BigInteger allowed = BigInteger.valueOf(bytesPerSecond / 1000 + burst + cost);
                assertThat(BigInteger.valueOf((long) lastMillisecond.size() * cost))
                        .isLessThanOrEqualTo(allowed);
            }
            now = Math.max(now + 1, pacer.nextDepartureNs() + delays.get(sent % delays.size()));
        }
        assertThat(sent).isPositive();
    }

    @Property(tries = 200)
    void lateTimersLoseNoThroughputWhileTheBurstCoversThem(
            @ForAll @LongRange(min = 100_000_000, max = 1_250_000_000) long bytesPerSecond,
            @ForAll @Size(min = 1, max = 20) List<@IntRange(max = 150_000) Integer> delays) {
        Pacer pacer = new Pacer(256 * 1024, Q, bytesPerSecond);
        pacer.onSent(0, Q);
        long now = 0;
        long sentBytes = Q;
        int wakes = 0;
        while (now < 20 * MS) {
            now = pacer.nextDepartureNs() + delays.get(wakes++ % delays.size());
            while (pacer.allows(now)) {
                pacer.onSent(now, Q);
                sentBytes += Q;
            }
        }
        long ideal = bytesPerSecond * now / 1_000_000_000;
        assertThat(sentBytes).isGreaterThanOrEqualTo(ideal * 98 / 100);
    }

    @Property
    void aFasterRateShortensTheWaitInProportion(
            @ForAll @LongRange(min = 1_000_000, max = 1_000_000_000) long slow,
            @ForAll @IntRange(min = 1, max = 1000) int factor) {
        Pacer pacer = new Pacer(2 * Q, Q, slow);
        for (int i = 0; i < 4; i++) {
            pacer.onSent(1_000, Q);
        }
        long waitNs = pacer.nextDepartureNs() - 1_000;
        pacer.rate(1_000, slow * factor);
        assertThat(pacer.nextDepartureNs() - 1_000).isBetween(waitNs / factor - 1, waitNs / factor + 1);
    }

    @Example
    void thePauseBetweenPacketsIsExactAtATerabytePerSecond() {
        Pacer pacer = new Pacer(0, 1146, 1_000_000_000_000L);
        for (int i = 0; i < 1_000_000; i++) {
            pacer.onSent(0, 1146);
        }
        // 1,146 us, and a rounding of 1/256 ns a packet at most.
        assertThat(pacer.nextDepartureNs()).isBetween(1_146_000L, 1_150_000L);
    }

    @Example
    void theRateNeverFallsBelowOnePacketPerTenthOfASecond() {
        Pacer pacer = new Pacer(0, Q, 1_000_000);
        pacer.rate(0, 0);
        assertThat(pacer.bytesPerSecond()).isEqualTo(10 * Q);
        pacer.onSent(0, Q);
        assertThat(pacer.nextDepartureNs()).isEqualTo(100 * MS);
    }

    @Example
    void theAllowanceIsOneBurst() {
        Pacer pacer = new Pacer(10 * Q, Q, 1_000_000_000);
        int sent = 0;
        while (pacer.allows(5 * MS)) {
            pacer.onSent(5 * MS, Q);
            sent++;
        }
        assertThat(sent).isEqualTo(11);
        long earned = 5 * MS + 4_218 * 5; // one is owed, four more are earned
        sent = 0;
        while (pacer.allows(earned)) {
            pacer.onSent(earned, Q);
            sent++;
        }
        assertThat(sent).isEqualTo(5);
        assertThat(pacer.nextDepartureNs()).isEqualTo(earned + 4_218);
    }
}
