package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.num.SplitMix64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EcmpHashTest {
    private static final long HOSTS = (3L << 32) | 9;

    @ParameterizedTest
    @CsvSource({"4,26", "8,34", "64,125"}) // chi-square of uplinks - 1 degrees of freedom is beyond once in 100,000
    void sourcePortsSpreadEvenlyOverUplinks(int uplinks, int limit) {
        int ports = 16_384;
        for (long salt = 1; salt <= 20; salt++) {
            long[] hits = new long[uplinks];
            for (int port = 0; port < ports; port++) {
                hits[pick(port, salt * 0x9E3779B97F4A7C15L, uplinks)]++;
            }
            assertThat(chiSquare(hits, ports)).isLessThan(limit);
        }
    }

    @Test
    void theSecondTierChoosesIndependentlyOfTheFirst() {
        int uplinks = 8;
        long[] pairs = new long[uplinks * uplinks];
        int ports = 16_384;
        for (int port = 0; port < ports; port++) {
            pairs[pick(port, 77, uplinks) * uplinks + pick(port, 78, uplinks)]++;
        }
        assertThat(chiSquare(pairs, ports)).isLessThan(125);
    }

    @Test
    void theSameTupleAlwaysTakesTheSameLinkAndAnotherSaltAnother() {
        int moved = 0;
        for (int port = 0; port < 1000; port++) {
            assertThat(pick(port, 5, 8)).isEqualTo(pick(port, 5, 8));
            moved += pick(port, 5, 8) == pick(port, 6, 8) ? 0 : 1;
        }
        assertThat(moved).isBetween(820, 930); // 875 expected
    }

    @Test
    void thirtyTwoRandomPortsCoverEightUplinksAboutNineTimesInTen() {
        SplitMix64 stream = new SplitMix64(1);
        int covered = 0;
        for (int trial = 0; trial < 4_000; trial++) {
            int seen = 0;
            for (int i = 0; i < 32; i++) {
                seen |= 1 << pick(stream.nextInt(16_384), trial, 8);
            }
            covered += seen == 0xFF ? 1 : 0;
        }
        assertThat(covered).isBetween(3_464, 3_664); // probability 0.891
    }

    private static int pick(int port, long salt, int uplinks) {
        return EcmpHash.pick(EcmpHash.of(HOSTS, ((49152L + port) << 16) | 49741, salt), uplinks);
    }

    private static long chiSquare(long[] hits, long total) {
        long sum = 0;
        for (long hit : hits) {
            long difference = hit * hits.length - total;
            sum += difference * difference;
        }
        return sum / (total * hits.length);
    }
}
