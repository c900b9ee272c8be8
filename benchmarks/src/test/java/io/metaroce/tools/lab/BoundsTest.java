package io.metaroce.tools.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metaroce.sim.FaultScript;
import io.metaroce.sim.LinkConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What figures are divided by, where a pencil is enough to know it. */
class BoundsTest {
    private static final double PACKET = LabFabric.PAYLOAD_BYTES + LabFabric.OVERHEAD_BYTES;
    private static final double RATE = 50e9; // 400 Gbit/s
    private static final double PACKET_NS = PACKET / RATE * 1e9;

    private static LabFabric fabric(String profile, Map<String, Long> more) throws Exception {
        return new LabFabric(Scenario.profile(profile).with(new Knobs(more)), 1);
    }

    /** Headers counted wrongly, or a hop, would show: nothing is in the way of four packets. */
    @Test
    void whatIsAloneInTheFabricTakesWhatTheBoundSays() throws Exception {
        for (int[] one : new int[][] {{0, 63}, {1, 63}, {0, 1}, {1, 1}}) {
            long read = one[0];
            int to = one[1];
            LabFabric fabric = fabric("A", Map.of("read", read, "warm", 1L));
            Traffic traffic = new Traffic(fabric, 4 * LabFabric.PAYLOAD_BYTES - 1000, 1);
            Flow flow = traffic.add(0, to);
            traffic.connect();
            long beganNs = fabric.world().nowNs();
            traffic.write(1, 0);
            traffic.complete();
            // A request goes before a Read, and a report comes after a Write.
            double least = traffic.load(1).idealAtSenderNs();
            assertThat(flow.doneNs() - beganNs).as("read: %d, to %d", read, to).isBetween((long) least, (long)
                    (least + PACKET_NS));
        }
    }

    @Test
    void theNarrowestStageCounts() throws Exception {
        FabricLoad two = new FabricLoad(fabric("A", Map.of()));
        two.add(8, 0, 40_960, 1);
        two.add(16, 0, 40_960, 1);
        assertThat(two.serialNs()).as("two to one").isCloseTo(20 * PACKET_NS, within(1e-6));
        assertThat(two.shares()).containsOnly(RATE / 2);

        FabricLoad mixed = new FabricLoad(fabric("A", Map.of("mixed_nics", 1L)));
        mixed.add(8, 0, 40_960, 1); // a quarter of the rate
        mixed.add(16, 0, 40_960, 1); // half of it
        mixed.add(24, 0, 40_960, 1);
        assertThat(mixed.serialNs()).as("the slowest NIC").isCloseTo(40 * PACKET_NS, within(1e-6));
        assertThat(mixed.shares()).containsExactly(RATE / 4, RATE * 3 / 8, RATE * 3 / 8);
    }

    @Test
    void linksToTheSwitchesAboveCountTogetherAndWithTheRateThatTheyHave() throws Exception {
        LabFabric fabric = fabric("A", Map.of());
        FabricLoad load = new FabricLoad(fabric);
        IntStream.range(0, 8).forEach(host -> load.add(host, 8 + host, 40_960, 1));
        assertThat(load.serialNs()).isCloseTo(10 * PACKET_NS, within(1e-6));
        fabric.world().faults(FaultScript.parse("at 1ns link leaf*-spine0 rate 25%\nat 1ns link leaf0-spine1 down"));
        fabric.world().run(10);
        assertThat(load.serialNs()).isCloseTo(10 * PACKET_NS * 8 / 6.25, within(1e-6));

        LabFabric pods = fabric("B-small", Map.of());
        FabricLoad far = new FabricLoad(pods);
        IntStream.range(0, 16).forEach(host -> far.add(host, 16 + host, 40_960, 1));
        double atOnce = far.serialNs();
        pods.world().faults(FaultScript.parse("at 1ns link agg*-core* rate 50%"));
        pods.world().run(10);
        assertThat(far.serialNs()).as("from pod to pod").isCloseTo(2 * atOnce, within(1e-6));
    }

    @Test
    void nobodyCanHaveMoreWithoutSomebodyWhoHasLessHavingLess() {
        Map<String, Double> rates = Map.of("wide", 1.0, "narrow", 0.5, "alone", 7.0);
        assertThat(MaxMin.shares(
                        rates,
                        List.of(List.of("wide", "narrow"), List.of("wide"), List.of("narrow"), List.of("alone"))))
                .containsExactly(0.25, 0.75, 0.25, 7.0);
    }

    @Test
    void drawnSizesHaveTheMeanThatWasAsked() throws Exception {
        Sizes sizes = new Sizes(fabric("A", Map.of("size_sigma_percent", 100L)), 100_000);
        double[] drawn = IntStream.range(0, 10_000).mapToDouble(sizes::ofFlow).toArray();
        Arrays.sort(drawn);
        // The median of a log-normal draw is exp(-s²/2) of its mean; the tail beyond 16 times the mean is cut.
        assertThat(Arrays.stream(drawn).average().orElse(0)).isBetween(95_000.0, 103_000.0);
        assertThat(drawn[5_000]).isBetween(58_000.0, 63_500.0);
        assertThat(drawn[9_999]).isLessThanOrEqualTo((double) sizes.max());
    }

    @Test
    void lossesInRowsAreAsManyAsLossesOneByOne() {
        LinkConfig.Faults faults = LabPorts.losses(10_000, 8);
        double toBad = faults.gilbert().toBadPpm();
        double toGood = faults.gilbert().toGoodPpm();
        assertThat(toBad / (toBad + toGood)).isCloseTo(0.01, within(1e-4));
        assertThat(1e6 / toGood).isCloseTo(8, within(1e-9));
        assertThat(LabPorts.losses(10_000, 1).loss().ppm()).isEqualTo(10_000);
    }
}
