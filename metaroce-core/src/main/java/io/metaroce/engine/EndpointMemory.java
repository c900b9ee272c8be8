package io.metaroce.engine;

import io.metaroce.connection.ConnectionPort;
import io.metaroce.connection.Shared;
import io.metaroce.memory.PayloadWindow;
import io.metaroce.memory.RegionPlacement;
import io.metaroce.memory.RegionTable;
import io.metaroce.message.SentFragments;
import io.metaroce.message.StreamLimits;
import io.metaroce.message.StreamTable;
import io.metaroce.message.Workshop;
import io.metaroce.param.EndpointConfig;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;

/** Where payload goes and comes from, and the steps it takes on its way: one of each per endpoint. */
final class EndpointMemory {
    private static final int PAYLOAD_BYTES_MAX = 8192;

    private final RegionTable regions;
    private final Workshop steps;
    private final StreamLimits limits;

    EndpointMemory(EndpointConfig config, Counters counters) {
        regions = new RegionTable(config.limits().regions());
        limits = StreamLimits.of(config.connection());
        steps = new Workshop(
                new RegionPlacement(regions),
                new PayloadWindow(regions, PAYLOAD_BYTES_MAX),
                new SentFragments(config.limits().slots()),
                config.liveness().deadNs(),
                counters);
    }

    RegionTable regions() {
        return regions;
    }

    /** The streams of a new connection. */
    StreamTable streams(Shared shared, ConnectionPort port, TransportEvents events) {
        int payloadBytes = shared.config().connection().payloadBytes();
        return new StreamTable(steps, limits, payloadBytes, port, events, shared.first());
    }
}
