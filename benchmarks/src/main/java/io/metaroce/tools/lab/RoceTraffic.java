package io.metaroce.tools.lab;

import io.metaroce.num.SplitMix64;
import io.metaroce.sim.Attachment;
import io.metaroce.sim.DropCause;
import io.metaroce.sim.Link;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.roce.DcqcnConfig;
import io.metaroce.sim.roce.RoceChannel;
import io.metaroce.sim.roce.RoceConfig;
import io.metaroce.sim.roce.RoceHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * All flows of a run over models of RoCEv2: a host at every place, and a channel for each flow. The knob {@code roce}
 * is 1 for go-back-N, 2 for selective repeat in a window of rate times round trip; {@code dcqcn} is 1 for the constants
 * of vendors, 2 for those of its paper, 0 for none; the {@code queue_pairs} of a channel take turns message by message;
 * {@code reorder_packets} may overtake one before it counts as lost.
 */
final class RoceTraffic {
    /** The knob that asks for one of these models. */
    static final String ROCE = "roce";
    /** What it adds to each packet on the wire: Ethernet 38, IPv4 20, UDP 8, BTH 12, ICRC 4. */
    private static final int OVERHEAD_BYTES = 82;

    private static final int PORTS = 1024;
    private static final long LIMIT_NS = 60_000_000_000L;

    private final LabFabric fabric;
    private final List<RoceHost> hosts = new ArrayList<>();
    private final List<RoceChannel> channels = new ArrayList<>();
    private final int queuePairs;
    private int opened;
    private long needed; // packets
    private int doneCount;
    private long startPs;

    RoceTraffic(LabFabric fabric) {
        this.fabric = fabric;
        queuePairs = fabric.knobs().number("queue_pairs", 1);
        RoceConfig config = config(fabric);
        for (Attachment place : fabric.fabric().attachments()) {
            hosts.add(RoceHost.attach(place, config));
        }
    }

    private static RoceConfig config(LabFabric fabric) {
        Knobs knobs = fabric.knobs();
        long line = (long) (fabric.rate() * 8);
        return switch (knobs.number(ROCE)) {
            case 1 ->
                switch (knobs.number("dcqcn", 0)) {
                    case 0 -> RoceConfig.goBackN(null);
                    case 1 -> RoceConfig.goBackN(DcqcnConfig.vendor(line));
                    case 2 -> RoceConfig.goBackN(DcqcnConfig.paper(line));
                    default -> throw new IllegalArgumentException("dcqcn is 0, 1 or 2, not " + knobs.get("dcqcn"));
                };
            case 2 ->
                RoceConfig.selective(line, (long) (fabric.roundTripNs() * SimTime.NS))
                        .withReordering(knobs.number("reorder_packets", 0));
            default -> throw new IllegalArgumentException("roce is 1 or 2, not " + knobs.get(ROCE));
        };
    }

    /** Bytes on the wire of a packet with so much payload. */
    static double wire(int payloadBytes) {
        return payloadBytes + (double) OVERHEAD_BYTES;
    }

    /** The host at a place. */
    RoceHost host(int place) {
        return hosts.get(place);
    }

    List<RoceChannel> channels() {
        return channels;
    }

    /** One more flow, between two places; its ports are drawn. */
    RoceChannel add(int from, int to) {
        RoceChannel channel = open(from, to);
        channels.add(channel);
        return channel;
    }

    /** A flow beside the others, which nobody waits for. */
    RoceChannel open(int from, int to) {
        int[] ports = new int[queuePairs];
        for (int i = 0; i < queuePairs; i++) {
            SplitMix64 draw = fabric.world().seeds().stream("lab.port", (long) opened * queuePairs + i);
            ports[i] = draw.nextInt(PORTS);
        }
        opened++;
        return host(from).open(host(to), ports);
    }

    /** Every flow begins to send so many messages, each after a delay that its seed draws, up to {@code jitterNs}. */
    void write(long messages, long bytes, long jitterNs) {
        startPs = fabric.world().nowPs();
        needed = channels.size() * messages * (long) Math.ceil((double) bytes / LabFabric.PAYLOAD_BYTES);
        for (int i = 0; i < channels.size(); i++) {
            RoceChannel channel = channels.get(i);
            long delayNs = Placement.delayNs(fabric, i, jitterNs);
            fabric.world().at(startPs + delayNs * SimTime.NS, () -> {
                for (int n = 0; n < messages; n++) {
                    channel.send(bytes, 0, 0);
                }
            });
        }
    }

    /** Lets time pass, in ns. */
    void run(long ns) {
        fabric.world().run(ns);
    }

    /** Runs until everything is acknowledged. */
    void complete() {
        doneCount = 0;
        if (!fabric.world().runUntil(this::areDone, LIMIT_NS)) {
            throw new IllegalStateException(
                    "RoCE is not done at " + fabric.world().nowNs() + " ns");
        }
    }

    /** What {@link FabricLoad#idealNs} says where one NIC is the limit, with headers of RoCEv2, and the way back. */
    double idealNs(double messages, double bytes) {
        return fabric.serialNs(messages, bytes, OVERHEAD_BYTES) + fabric.roundTripNs();
    }

    // Asked before each event: those before one that is not done are not asked again.
    private boolean areDone() {
        while (doneCount < channels.size() && channels.get(doneCount).doneAtPs() != SimTime.NEVER) {
            doneCount++;
        }
        return doneCount == channels.size();
    }

    /** How long each flow took from the first message of all, in ns. */
    double[] tookNs() {
        return channels.stream()
                .mapToDouble(channel -> SimTime.toNs(channel.doneAtPs() - startPs))
                .toArray();
    }

    /** What part was sent again, what was lost to full queues, and what pauses did. */
    void figures(Map<String, Double> figures) {
        double sent = channels.stream().mapToLong(RoceChannel::sentPackets).sum();
        figures.put("resent", sent / needed - 1);
        fabric(figures);
    }

    /** What was lost to full queues, and what pauses did. */
    void fabric(Map<String, Double> figures) {
        double drops = 0;
        for (Link link : fabric.fabric().links()) {
            drops += link.counters().dropped(DropCause.QUEUE);
        }
        figures.put("drops", drops);
        figures.put("pauses", (double) fabric.fabric().pfcCounters().pauses());
        figures.put(
                "paused_ns", (double) SimTime.toNs(fabric.fabric().pfcCounters().pausedPs()));
        CommonFigures.world(figures, fabric);
    }
}
