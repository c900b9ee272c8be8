package io.metaroce.tools.lab;

import io.metaroce.sim.EcnRamp;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.PfcConfig;
import io.metaroce.sim.PortConfig;
import io.metaroce.sim.SimTime;

/**
 * Ports and routing of switches as knobs describe them. {@code pfc}: pauses, and reports that leave first;
 * {@code shared}: bytes that the ports of a switch share; {@code marks_at_dequeue}, {@code control_first},
 * {@code phantom_percent}: what they say; {@code adaptive}: the shorter of two queues for each packet; {@code ecn_own}:
 * marks as public configurations of RoCEv2 have them, instead of those of the profile.
 */
final class LabPorts {
    private static final int PPM = 1_000_000;
    private static final long GBIT = 1_000_000_000L;
    private static final long OWN_GBIT = 25; // public thresholds are told for this rate
    private static final long OWN_KMIN_BYTES = 100_000;
    private static final long OWN_KMAX_BYTES = 400_000;
    private static final int OWN_PMAX_PPM = 200_000;
    private static final int PFC_ALPHA_Q8 = 32; // an eighth of what is free
    private static final int LOSSY_ALPHA_Q8 = 256; // as much as is free
    private static final int LONGEST_PACKET_BYTES = LabFabric.PAYLOAD_BYTES + LabFabric.OVERHEAD_BYTES;

    private LabPorts() {}

    /**
     * Losses of a link: independent ones, or, after Gilbert and Elliott, rows of so many packets on average, and as
     * many of all.
     */
    static LinkConfig.Faults losses(int ppm, int burstPackets) {
        if (burstPackets <= 1) {
            return LinkConfig.Faults.NONE.withLoss(ppm, 1);
        }
        double toGood = 1.0 / burstPackets;
        double share = (double) ppm / PPM;
        int toBadPpm = (int) Math.round(share * toGood / (1 - share) * PPM);
        return LinkConfig.Faults.NONE.withGilbert(
                new LinkConfig.Gilbert(toBadPpm, (int) Math.round(toGood * PPM), PPM));
    }

    /** How queues mark. */
    static EcnRamp ramp(Knobs knobs) {
        if (!knobs.isSet("ecn_own")) {
            return new EcnRamp(knobs.get("ecn_kmin_bytes"), knobs.get("ecn_kmax_bytes"), PPM);
        }
        long gbit = knobs.get("rate_gbit");
        return new EcnRamp(OWN_KMIN_BYTES * gbit / OWN_GBIT, OWN_KMAX_BYTES * gbit / OWN_GBIT, OWN_PMAX_PPM);
    }

    /** Gives a fabric what its knobs ask for beyond queues of one event a hop. */
    static void install(Fabric fabric, Knobs knobs) {
        if (knobs.isSet("adaptive")) {
            fabric.adaptiveRouting();
        }
        PortConfig config = PortConfig.PLAIN;
        if (knobs.isSet("marks_at_dequeue")) {
            config = config.withMarksAtDequeue();
        }
        if (knobs.isSet("control_first")) {
            config = config.withControlFirst();
        }
        config = config.withPhantom(knobs.number("phantom_percent", config.phantomPercent()));
        // As many bytes as the ports of a leaf have when each has its own.
        long ports = knobs.get("hosts_per_leaf") + knobs.get("spines");
        long bytes = knobs.get("buffer_bytes") * ports;
        if (knobs.isSet("pfc")) {
            long rate = knobs.get("rate_gbit") * GBIT;
            long delayPs = knobs.get("delay_ns") * SimTime.NS;
            config = config.withShared(bytes, PFC_ALPHA_Q8)
                    .withPauses(PfcConfig.ofLink(rate, delayPs, LONGEST_PACKET_BYTES, SimTime.US));
        } else if (knobs.isSet("shared")) {
            config = config.withShared(bytes, LOSSY_ALPHA_Q8);
        }
        if (!config.equals(PortConfig.PLAIN)) {
            fabric.exactPorts(config);
        }
    }
}
