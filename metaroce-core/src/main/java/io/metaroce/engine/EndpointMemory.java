package io.metaroce.engine;

import io.metaroce.connection.ConnectionPort;
import io.metaroce.connection.Shared;
import io.metaroce.memory.PayloadWindow;
import io.metaroce.memory.Placement;
import io.metaroce.memory.RegionPlacement;
import io.metaroce.memory.RegionTable;
import io.metaroce.message.SentFragments;
import io.metaroce.message.StreamLimits;
import io.metaroce.message.StreamTable;
import io.metaroce.param.EndpointConfig;
import io.metaroce.trace.TransportEvents;

/** Where payload goes and comes from, and what slots carry: one of each per endpoint. */
final class EndpointMemory {
    private static final int PAYLOAD_BYTES_MAX = 8192;

    private final RegionTable regions;
    private final Placement placement;
    private final PayloadWindow window;
    private final SentFragments sent;
    private final StreamLimits limits;

    EndpointMemory(EndpointConfig config) {
        regions = new RegionTable(config.limits().regions());
        placement = new RegionPlacement(regions);
        window = new PayloadWindow(regions, PAYLOAD_BYTES_MAX);
        sent = new SentFragments(config.limits().slots());
        limits = StreamLimits.of(config.connection(), config.liveness());
    }

    RegionTable regions() {
        return regions;
    }

    /** The streams of a new connection. */
    StreamTable streams(Shared shared, ConnectionPort port, TransportEvents events) {
        return new StreamTable(
                limits,
                shared.config().connection().payloadBytes(),
                placement,
                window,
                sent,
                port,
                shared.counters(),
                events,
                shared.first());
    }
}
