package io.metaroce.tools.lab;

import io.metaroce.param.AckConfig;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.EndpointLimits;
import io.metaroce.param.PathConfig;
import io.metaroce.param.Profiles;
import io.metaroce.param.RateConfig;
import io.metaroce.param.SchedulerConfig;

/** The settings of the engine on every host: those of the model or of sockets, but for what knobs say. */
final class LabEngine {
    private static final int PATHS_OF_A_PLANE = 8;
    private static final int PATHS_MIN = 32;
    // Of what an endpoint may have in flight the largest traffic here takes a tenth; a thousand hosts take memory.
    private static final int SLOTS = 8192;
    private static final long NEVER_NS = 1_000_000_000;
    private static final long ENDLESS_RATE = 1_000_000_000_000L;
    private static final int REPORT_BYTES_MAX = 255 * 1024;

    private LabEngine() {}

    /** Settings for hosts of so many planes that together carry {@code rate} bytes per second. */
    static EndpointConfig config(Knobs knobs, int planes, long rate) {
        EndpointConfig model = knobs.isSet("as_sockets") ? Profiles.udp() : Profiles.model();
        return model.withRate(rate(knobs, model.rate(), rate))
                .withPath(path(knobs, model.path(), planes))
                .withAck(ack(knobs, model.ack()))
                .withScheduler(new SchedulerConfig(
                        knobs.number("burst_packets", model.scheduler().burstPackets())))
                .withLimits(limits(knobs, model.limits()))
                .withConnection(model.connection().withPayloadBytes(LabFabric.PAYLOAD_BYTES));
    }

    private static RateConfig rate(Knobs knobs, RateConfig model, long rate) {
        return new RateConfig(
                rate,
                // Shares of what has no end are never below anybody's line.
                knobs.isSet("hint_off") ? ENDLESS_RATE : rate,
                model.delayFloorNs(),
                model.hintFloorNs(),
                model.pacingBurstBytes(),
                knobs.number("expected_fan_in", model.expectedFanIn()),
                model.readsMarks() && !knobs.isSet("marks_unread"));
    }

    private static PathConfig path(Knobs knobs, PathConfig model, int planes) {
        return new PathConfig(
                knobs.number("paths", Math.max(PATHS_MIN, PATHS_OF_A_PLANE * planes)),
                knobs.number("in_flight_packets", model.inFlightPacketsMax()),
                knobs.number("window_packets", model.trackWindowPackets()),
                model.sackWords(),
                knobs.isSet("flush_off") ? NEVER_NS : model.flushFloorNs(),
                model.timeoutFloorNs(),
                model.timeoutMaxNs(),
                knobs.isSet("silence_off") ? NEVER_NS : model.silenceFloorNs(),
                model.idleProbeNs(),
                model.payloadRaiseNs());
    }

    private static AckConfig ack(Knobs knobs, AckConfig model) {
        int packets = knobs.number("report_every", model.everyPackets());
        return new AckConfig(
                packets, Math.min(REPORT_BYTES_MAX, packets * LabFabric.PAYLOAD_BYTES), model.delayMaxNs());
    }

    private static EndpointLimits limits(Knobs knobs, EndpointLimits model) {
        return new EndpointLimits(
                model.connections(),
                knobs.number("slots", SLOTS),
                model.regions(),
                model.sourcePorts(),
                model.pendingOffers(),
                model.transportBytes());
    }
}
