package io.metaroce.compliance.adapter;

import io.metaroce.compliance.utp.UtpException;
import io.metaroce.param.AckConfig;
import io.metaroce.param.ConnectionLimits;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.LivenessConfig;
import io.metaroce.param.RateConfig;
import io.metaroce.param.SchedulerConfig;
import io.metaroce.param.Secret;
import io.metaroce.param.SecurityConfig;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Settings of the engine by name, as {@code cfg} knows them. Thread rule: the agent's thread. */
public final class Settings {
    private static final Set<String> NAMES = Set.of(
            "paths",
            "burst",
            "ack_every",
            "ack_bytes",
            "ack_delay_ns",
            "max_reads",
            "open_messages",
            "dead_ms",
            "keepalive_ms",
            "streams",
            "cookies",
            "ordered_writes",
            "payload",
            "rx_capacity",
            "tx_capacity",
            "track_window",
            "sack_words",
            "in_flight",
            "reads_marks",
            "endpoint_key");

    private final EndpointConfig base;
    private final Map<String, Long> set = new TreeMap<>();

    /** Nothing is set beyond {@code base}. */
    public Settings(EndpointConfig base) {
        this.base = base;
    }

    void reset() {
        set.clear();
    }

    /** Sets one; refused when there is none of this name, or the value does not fit. */
    public void set(String name, JsonNode value) {
        if (!NAMES.contains(name)) {
            throw new UtpException("E_BADARG", "no setting " + name);
        }
        if (!value.isIntegralNumber()) {
            throw new UtpException("E_BADARG", name + " is a whole number, not " + value);
        }
        Long before = set.put(name, value.asLong());
        try {
            EndpointConfig unused = build();
        } catch (IllegalArgumentException e) {
            if (before == null) {
                set.remove(name);
            } else {
                set.put(name, before);
            }
            throw new UtpException("E_BADARG", String.valueOf(e.getMessage()));
        }
    }

    private long get(String name, long otherwise) {
        return set.getOrDefault(name, otherwise);
    }

    /** The settings as a whole. */
    public EndpointConfig build() {
        RateConfig rate = base.rate();
        LivenessConfig life = base.liveness();
        ConnectionLimits limits = base.connection();
        AckConfig ack = base.ack();
        return base.withPath(base.path()
                        .withPaths((int) get("paths", 4))
                        .withWindow((int) get("track_window", base.path().trackWindowPackets()), (int)
                                get("sack_words", base.path().sackWords()))
                        .withInFlightPacketsMax(
                                (int) get("in_flight", base.path().inFlightPacketsMax())))
                .withAck(new AckConfig(
                        (int) get("ack_every", ack.everyPackets()),
                        (int) get("ack_bytes", ack.everyBytes()),
                        get("ack_delay_ns", ack.delayMaxNs())))
                .withScheduler(
                        new SchedulerConfig((int) get("burst", base.scheduler().burstPackets())))
                .withRate(new RateConfig(
                        get("tx_capacity", rate.outboundBytesPerSecond()),
                        get("rx_capacity", rate.inboundBytesPerSecond()),
                        rate.delayFloorNs(),
                        rate.hintFloorNs(),
                        rate.pacingBurstBytes(),
                        rate.expectedFanIn(),
                        get("reads_marks", rate.readsMarks() ? 1 : 0) != 0))
                .withLiveness(new LivenessConfig(
                        life.handshakeRetryNs(),
                        life.handshakeTries(),
                        life.closeTries(),
                        life.quiesceNs(),
                        1_000_000 * get("keepalive_ms", life.keepaliveNs() / 1_000_000),
                        1_000_000 * get("dead_ms", life.deadNs() / 1_000_000),
                        life.tombstoneNs()))
                .withConnection(new ConnectionLimits(
                        (int) get("payload", limits.payloadBytes()),
                        (int) get("streams", limits.streams()),
                        (int) get("open_messages", limits.openMessages()),
                        limits.messageBytesMax(),
                        (int) get("max_reads", limits.reads()),
                        (int) get("ordered_writes", limits.orderedWrites())))
                .withCookies(get("cookies", 1) != 0 ? EndpointConfig.Cookies.REQUIRED : EndpointConfig.Cookies.OFF)
                .withSecurity(
                        get("endpoint_key", 0) == 0 ? SecurityConfig.NONE : SecurityConfig.NONE.withEndpointKey(key()));
    }

    private Secret key() {
        return Secret.of(
                "compliance key %016x".formatted(get("endpoint_key", 0)).getBytes(StandardCharsets.US_ASCII));
    }
}
