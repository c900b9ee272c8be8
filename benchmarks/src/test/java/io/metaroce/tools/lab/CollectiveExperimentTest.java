package io.metaroce.tools.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Collectives of the laboratory against closed forms, and over other transports. */
class CollectiveExperimentTest {
    private static final double OVERHEAD = LabFabric.OVERHEAD_BYTES;
    private static final Map<String, Long> SMALL = Map.ofEntries(
            Map.entry("leaves", 2L),
            Map.entry("spines", 2L),
            Map.entry("hosts_per_leaf", 4L),
            Map.entry("planes", 1L),
            Map.entry("rate_gbit", 400L),
            Map.entry("delay_ns", 1_000L),
            Map.entry("buffer_bytes", 2_000_000L),
            Map.entry("ecn_kmin_bytes", 80_000L),
            Map.entry("ecn_kmax_bytes", 320_000L),
            Map.entry("reduce_gbyte", 0L),
            Map.entry("placement", 0L),
            Map.entry("iterations", 2L),
            Map.entry("order_of_time", 1L));

    private static Map<String, Double> run(Map<String, Long> more) {
        Map<String, Long> knobs = new TreeMap<>(SMALL);
        knobs.putAll(more);
        return new CollectiveExperiment().run(new Knobs(knobs), 1);
    }

    private static double makespanNs(Map<String, Long> more) {
        return Objects.requireNonNull(run(more).get("makespan_ns"));
    }

    /** The way of a message of so many bytes through the one switch of a star, in ns. */
    private static double messageNs(double bytes) {
        double packets = Math.ceil(bytes / LabFabric.PAYLOAD_BYTES);
        double wire = bytes + packets * OVERHEAD;
        return 4_000 + (wire + LabFabric.PAYLOAD_BYTES + OVERHEAD) / 50;
    }

    @Test
    void aRingAroundOneSwitchTakesWhatTheFormulaSays() {
        double ns = makespanNs(
                Map.of("collective", 1L, "algorithm", 1L, "bytes", 262_144L, "slice_bytes", 32_768L, "star", 1L));
        // The first message says that the receiver has begun, and the last one is acknowledged.
        double formula = messageNs(0) + 14 * messageNs(32_768) + messageNs(0);
        assertThat(ns / formula).isBetween(0.98, 1.02);
    }

    @Test
    void halvingAndDoublingAroundOneSwitchTakesWhatTheFormulaSays() {
        double ns = makespanNs(
                Map.of("collective", 1L, "algorithm", 2L, "bytes", 65_536L, "slice_bytes", 65_536L, "star", 1L));
        double formula = 2 * (messageNs(0) + messageNs(32_768) + messageNs(16_384) + messageNs(8_192));
        assertThat(ns / formula).isBetween(0.97, 1.03);
    }

    @Test
    void reductionsTakeTheirTime() {
        Map<String, Long> knobs =
                Map.of("collective", 1L, "algorithm", 1L, "bytes", 262_144L, "slice_bytes", 32_768L, "star", 1L);
        Map<String, Long> slow = new TreeMap<>(knobs);
        slow.put("reduce_gbyte", 4L);
        double more = makespanNs(slow) - makespanNs(knobs);
        assertThat(more).isBetween(0.95 * 7 * 32_768 / 4, 1.05 * 7 * 32_768 / 4);
    }

    @Test
    void theSameProgramRunsOverTheModelsOfOthers() {
        Map<String, Long> knobs = new TreeMap<>(
                Map.of("collective", 2L, "algorithm", 5L, "block_bytes", 65_536L, "roce", 1L, "dcqcn", 1L, "pfc", 1L));
        knobs.put("queue_pairs", 4L);
        Map<String, Double> figures = run(knobs);
        assertThat(figures.get("drops")).isZero();
        assertThat(figures.get("line_share")).isBetween(0.3, 1.02);
        assertThat(run(knobs)).isEqualTo(figures);
    }
}
