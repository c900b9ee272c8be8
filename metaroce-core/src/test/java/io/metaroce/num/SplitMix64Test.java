package io.metaroce.num;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class SplitMix64Test {
    @Example
    void givesThePublishedNumbersOfSeed1234567() {
        SplitMix64 entropy = new SplitMix64(1234567);
        assertThat(Long.toUnsignedString(entropy.nextLong())).isEqualTo("6457827717110365317");
        assertThat(Long.toUnsignedString(entropy.nextLong())).isEqualTo("3203168211198807973");
        assertThat(Long.toUnsignedString(entropy.nextLong())).isEqualTo("9817491932198370423");
        assertThat(Long.toUnsignedString(entropy.nextLong())).isEqualTo("4593380528125082431");
        assertThat(Long.toUnsignedString(entropy.nextLong())).isEqualTo("16408922859458223821");
    }

    @Property
    void agreesWithTheGeneratorOfTheClassLibrary(@ForAll long seed) {
        SplitMix64 entropy = new SplitMix64(seed);
        SplittableRandom twin = new SplittableRandom(seed);
        for (int i = 0; i < 20; i++) {
            assertThat(entropy.nextLong()).isEqualTo(twin.nextLong());
        }
    }

    @Property
    void aSplitDependsOnNothingButSeedLabelAndId(@ForAll long seed, @ForAll long id) {
        SplitMix64 fresh = new SplitMix64(seed);
        SplitMix64 drawn = new SplitMix64(seed);
        drawn.nextLong();
        drawn.split("other", 3).nextLong();
        assertThat(fresh.split("psn", id).nextLong())
                .isEqualTo(drawn.split("psn", id).nextLong());
        assertThat(new SplitMix64(seed).nextLong()).isEqualTo(fresh.nextLong());
    }

    @Example
    void splitsOfOtherLabelsAndIdsAreOtherGenerators() {
        SplitMix64 root = new SplitMix64(1);
        TreeSet<Long> first = new TreeSet<>();
        String[] labels = {"", "a", "b", "ab", "ba", "psn", "connId", "sourcePort", "scheduler"};
        for (String label : labels) {
            for (long id = -100; id < 100; id++) {
                first.add(root.split(label, id).nextLong());
            }
        }
        assertThat(first).hasSize(labels.length * 200);
    }

    @Property
    void smallNumbersStayBelowTheirBound(@ForAll long seed, @ForAll @IntRange(min = 1) int bound) {
        SplitMix64 entropy = new SplitMix64(seed);
        for (int i = 0; i < 20; i++) {
            assertThat(entropy.nextInt(bound)).isBetween(0, bound - 1);
        }
    }

    @Example
    void smallNumbersAreEven() {
        SplitMix64 entropy = new SplitMix64(7);
        int[] seen = new int[10];
        for (int i = 0; i < 100_000; i++) {
            seen[entropy.nextInt(10)]++;
        }
        for (int n : seen) {
            assertThat(n).isBetween(9_500, 10_500);
        }
    }
}
