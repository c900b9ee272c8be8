package io.metaroce.tools.lab;

import io.metaroce.collective.Algorithm;
import io.metaroce.collective.Collective;
import io.metaroce.collective.Program;
import io.metaroce.collective.Schedules;
import io.metaroce.collective.Task;
import io.metaroce.collective.Transfer;
import io.metaroce.tools.group.Row;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A collective of all hosts, several times: the first run is cold, the last one is the figure. Bus bandwidth is what
 * the busiest link of a rank must carry, by the time until the last rank is done.
 *
 * <p>The same programs run over the engine and over models of RoCEv2. Knobs: {@code collective} 1 all-reduce, 2
 * all-to-all; {@code algorithm} 1 ring, 2 halving and doubling, 3 shift, 4 XOR, 5 at once, 6 Bruck; {@code bytes} of a
 * rank, or {@code block_bytes} for each other rank; {@code slice_bytes}, the longest slice; {@code placement} 0 in
 * order, 1 neighbours in different leaves, 2 drawn; {@code reduce_gbyte}, bytes a nanosecond that are reduced or
 * copied, 0 for no time at all.
 */
final class CollectiveExperiment implements Experiment {
    @Override
    public Map<String, Double> run(Knobs knobs, long seed) {
        LabFabric fabric = new LabFabric(knobs, seed);
        Task task = task(knobs, fabric, seed);
        if (knobs.isSet(RoceTraffic.ROCE) && task.transfer() != Transfer.WRITE) {
            throw new IllegalArgumentException("models of RoCEv2 only write: " + knobs);
        }
        List<Program> programs = Schedules.compile(task);
        int nodes = programs.stream().mapToInt(Program::nodes).max().orElse(0);
        Ranks ranks = new Ranks(fabric.world(), task.ranks());
        List<Integer> places = Placement.ofRanks(fabric);
        long bytesPerNs = knobs.get("reduce_gbyte");
        if (knobs.isSet(RoceTraffic.ROCE)) {
            RoceRanks models = new RoceRanks(fabric, programs, places, ranks, bytesPerNs);
            ranks.add(nodes, models::rank);
            Map<String, Double> figures = figures(fabric, task, programs, ranks);
            models.traffic().fabric(figures);
            return figures;
        }
        EngineRanks engines = new EngineRanks(fabric, programs, places, ranks, bytesPerNs);
        ranks.add(nodes, engines::rank);
        return figures(fabric, task, programs, ranks);
    }

    private static Map<String, Double> figures(LabFabric fabric, Task task, List<Program> programs, Ranks ranks) {
        double bits = 8.0 * task.bytes() * Row.busShare(task);
        Map<String, Double> figures = new TreeMap<>();
        double coldNs = ranks.run(programs);
        double lastNs = coldNs;
        for (long i = 1; i < fabric.knobs().get("iterations"); i++) {
            lastNs = ranks.run(programs);
        }
        figures.put("cold_busbw_bps", bits * 1e9 / coldNs);
        figures.put("busbw_bps", bits * 1e9 / lastNs);
        figures.put("makespan_ns", lastNs);
        figures.put("line_share", bits * 1e9 / lastNs / (8 * fabric.payloadRate()));
        CommonFigures.world(figures, fabric);
        return figures;
    }

    private static Task task(Knobs knobs, LabFabric fabric, long seed) {
        int ranks = knobs.number("ranks", fabric.places());
        boolean isReduction = knobs.get("collective") == 1;
        int bytes = isReduction ? knobs.number("bytes") : Math.multiplyExact(knobs.number("block_bytes"), ranks);
        Algorithm how = switch (knobs.number("algorithm")) {
            case 1 -> Algorithm.RING;
            case 2 -> Algorithm.HALVING_DOUBLING;
            case 3 -> Algorithm.SHIFT;
            case 4 -> Algorithm.XOR;
            case 5 -> Algorithm.AT_ONCE;
            case 6 -> Algorithm.BRUCK;
            case 7 -> Algorithm.HIERARCHICAL;
            default -> throw new IllegalArgumentException("algorithm is 1 to 7, not " + knobs.get("algorithm"));
        };
        Task task = Task.of(isReduction ? Collective.ALL_REDUCE : Collective.ALL_TO_ALL, how, ranks, bytes)
                .withWindow(knobs.number("window", 4))
                .withStreams(knobs.number("streams", 1))
                .withSeed(seed)
                .withTransfer(
                        switch (knobs.number("transfer", 0)) {
                            case 0 -> Transfer.WRITE;
                            case 1 -> Transfer.SEND;
                            case 2 -> Transfer.READ;
                            default ->
                                throw new IllegalArgumentException("transfer is 0 to 2, not " + knobs.get("transfer"));
                        });
        if (how == Algorithm.HIERARCHICAL) {
            task = task.withGroupRanks(knobs.number("group_ranks"));
        }
        if (isReduction) {
            int step = switch (how) {
                case RING -> bytes / ranks;
                case HIERARCHICAL -> bytes / task.groupRanks();
                default -> bytes;
            };
            task = task.withSlices(Math.max(1, (int) Math.ceil((double) step / knobs.get("slice_bytes"))));
        }
        return knobs.isSet("both_ways") ? task.withBothWays() : task;
    }
}
