package io.metaroce.tools.lab;

import io.metaroce.sim.Attachment;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.roce.DcqcnConfig;
import io.metaroce.sim.roce.RoceConfig;
import io.metaroce.sim.roce.RoceHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The permutation of {@link StreamsExperiment} over models of RoCEv2: the same pairs, bytes and fabric. The knob
 * {@code roce} is 1 for go-back-N with DCQCN in the constants of vendors, 2 with those of its paper, 3 for selective
 * repeat in a window of rate times round trip; {@code queue_pairs} share the bytes of a flow.
 */
final class RoceStreamsExperiment implements Experiment {
    /** The knob that asks for one of these models. */
    static final String ROCE = "roce";

    private static final int PORTS = 1024;
    private static final long LIMIT_NS = 60_000_000_000L;

    private record Flow(RoceHost from, int firstQueuePair) {}

    @Override
    public Map<String, Double> run(Knobs knobs, long seed) {
        LabFabric fabric = new LabFabric(knobs, seed);
        RoceConfig config = config(fabric, knobs);
        List<RoceHost> hosts = new ArrayList<>();
        for (Attachment place : fabric.fabric().attachments()) {
            hosts.add(RoceHost.attach(place, config));
        }
        int queuePairs = knobs.number("queue_pairs", 1);
        long bytes = knobs.get("messages") * knobs.get("message_bytes") / queuePairs;
        List<Flow> flows = new ArrayList<>();
        for (int[] pair : Placement.permutation(fabric)) {
            for (int i = 0; i < queuePairs; i++) {
                int port = fabric.world().seeds().stream("lab.port", (long) flows.size() * queuePairs + i)
                        .nextInt(PORTS);
                int number = hosts.get(pair[0]).sends(hosts.get(pair[1]), bytes, port);
                if (i == 0) {
                    flows.add(new Flow(hosts.get(pair[0]), number));
                }
            }
        }
        if (!fabric.world().runUntil(() -> flows.stream().allMatch(flow -> doneNs(flow, queuePairs) > 0), LIMIT_NS)) {
            throw new IllegalStateException(
                    "RoCE is not done at " + fabric.world().nowNs() + " ns");
        }
        return figures(fabric, flows, queuePairs, (double) bytes * queuePairs);
    }

    private static RoceConfig config(LabFabric fabric, Knobs knobs) {
        long line = (long) (fabric.rate() * 8);
        return switch (knobs.number(ROCE)) {
            case 1 -> RoceConfig.goBackN(line, DcqcnConfig.vendor(line));
            case 2 -> RoceConfig.goBackN(line, DcqcnConfig.paper(line));
            case 3 -> RoceConfig.selective(line, (long) (fabric.roundTripNs() * SimTime.NS));
            default -> throw new IllegalArgumentException("roce is 1, 2 or 3, not " + knobs.get(ROCE));
        };
    }

    /** When the last of the queue pairs of a flow was done; 0 if one is not. */
    private static long doneNs(Flow flow, int queuePairs) {
        long last = 0;
        for (int i = 0; i < queuePairs; i++) {
            long at = flow.from().doneAtPs(flow.firstQueuePair() + i);
            if (at == SimTime.NEVER) {
                return 0;
            }
            last = Math.max(last, at);
        }
        return SimTime.toNs(last);
    }

    private static Map<String, Double> figures(LabFabric fabric, List<Flow> flows, int queuePairs, double bytesOfFlow) {
        double[] tookNs = new double[flows.size()];
        double sent = 0;
        for (int f = 0; f < tookNs.length; f++) {
            Flow flow = flows.get(f);
            tookNs[f] = doneNs(flow, queuePairs);
            for (int i = 0; i < queuePairs; i++) {
                sent += flow.from().sentPackets(flow.firstQueuePair() + i);
            }
        }
        double needed = flows.size() * Math.ceil(bytesOfFlow / LabFabric.PAYLOAD_BYTES);
        Map<String, Double> figures = new TreeMap<>();
        CommonFigures.goodput(figures, bytesOfFlow, tookNs);
        figures.put("resent", sent / needed - 1);
        CommonFigures.world(figures, fabric);
        return figures;
    }
}
