package io.metaroce.tools.lab;

import io.metaroce.sim.roce.RoceChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What {@link Victims} are, over models of RoCEv2. */
final class RoceVictims {
    private static final int ROUND_TRIPS_BEFORE = 20;
    private static final long MESSAGE_BYTES = 65_536;

    private final LabFabric fabric;
    private final RoceTraffic traffic;
    private final List<RoceChannel> channels = new ArrayList<>();
    private double[] before = {};
    private long startNs;

    RoceVictims(LabFabric fabric, RoceTraffic traffic) {
        this.fabric = fabric;
        this.traffic = traffic;
        for (int i = 0; i < Victims.count(fabric); i++) {
            channels.add(traffic.open(Victims.sender(fabric, i), 1 + i));
        }
    }

    /** Lets them begin, with more than they can send in four times the length of an incast; that begins now. */
    void begin(Map<String, Double> figures) {
        if (channels.isEmpty()) {
            return;
        }
        Knobs knobs = fabric.knobs();
        double ideal = traffic.idealNs((double) knobs.get("senders"), (double) knobs.get("message_bytes"));
        double ns = 4 * ideal + ROUND_TRIPS_BEFORE * fabric.roundTripNs();
        long messages = (long) (ns * fabric.rate() / 1e9) / MESSAGE_BYTES + 1;
        for (RoceChannel channel : channels) {
            for (long i = 0; i < messages; i++) {
                channel.send(MESSAGE_BYTES, 0, 0);
            }
        }
        long halfNs = (long) (ROUND_TRIPS_BEFORE * fabric.roundTripNs() / 2);
        traffic.run(halfNs);
        double[] half = arrived();
        traffic.run(halfNs);
        before = arrived();
        Victims.tell(figures, "victims_before", half, before, packets(halfNs));
        startNs = fabric.world().nowNs();
    }

    /** Tells what part of their links they had until the incast could have been over. */
    void end(Map<String, Double> figures, double idealNs) {
        if (channels.isEmpty()) {
            return;
        }
        traffic.run(Math.max(0, (long) (startNs + idealNs) - fabric.world().nowNs()));
        Victims.tell(
                figures,
                "victims_kept",
                before,
                arrived(),
                packets(fabric.world().nowNs() - startNs));
    }

    /** Full packets that a link carries in so long. */
    private double packets(long ns) {
        return ns * fabric.rate() / 1e9 / RoceTraffic.wire(LabFabric.PAYLOAD_BYTES);
    }

    private double[] arrived() {
        return channels.stream().mapToDouble(RoceChannel::arrivedPackets).toArray();
    }
}
