package io.metaroce.compliance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.adapter.EngineAgent;
import io.metaroce.compliance.adapter.UdpHosts;
import io.metaroce.compliance.cli.SuiteRun;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.utp.Agent;
import io.metaroce.compliance.utp.RemoteAgent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The implementation in C: the suite finds no fault, and engine and it understand each other. */
class CResponderTest {
    private static final int SERVICE = 7;
    private static final int BYTES = 3_000_000;
    private static final long SEED = 4711;
    private static final long DEADLINE_NS = 60_000_000_000L;

    @Test
    void itPassesTheProfileOfResponders(@TempDir Path folder) throws Exception {
        SuiteRun run = SuiteRun.of("--target", "exec:" + responder(folder), "--profile", "responder@1.0");
        assertThat(run.code()).as(run.told()).isZero();
        assertThat(run.told()).contains("30 passed, 0 failed, 0 inconclusive, 0 n/a, 0 error");
    }

    /** The suite's peer is patient; this one has congestion control, probes, several paths, and demands a cookie. */
    @Test
    void theEngineWritesToItOverSeveralPaths(@TempDir Path folder) throws Exception {
        try (EngineAgent engine = new EngineAgent(new UdpHosts());
                RemoteAgent responder =
                        RemoteAgent.started(List.of(responder(folder).toString()))) {
            String address = engine.call("ep_open", Json.object())
                    .get("addresses")
                    .get(0)
                    .asString();
            engine.call("listen", Json.object().put("service", SERVICE));
            JsonNode target = region(responder);
            JsonNode source = region(engine);
            engine.call(
                    "mr_fill", Json.object().put("mr", source.get("mr").asInt()).put("seed", SEED));
            responder.call("ep_open", Json.object());
            responder.call("connect", Json.object().put("to", address).put("service", SERVICE));
            // The engine's agent accepts while it is asked for events.
            await(engine, event -> event.path("state").asString("").equals("established"));
            await(responder, event -> event.path("state").asString("").equals("established"));
            engine.call(
                    "post_write",
                    Json.object()
                            .put("conn", 1)
                            .put("stream", 0)
                            .put("wr", 1)
                            .put("mr", source.get("mr").asInt())
                            .put("off", 0)
                            .put("len", BYTES)
                            .put("rkey", target.get("rkey").asLong())
                            .put("rva", target.get("va").asLong()));
            JsonNode done =
                    await(engine, event -> event.path("evt").asString("").equals("cqe"));
            assertThat(done.get("status").asString()).isEqualTo("SUCCESS");
            JsonNode same = responder.call(
                    "mr_check",
                    Json.object().put("mr", target.get("mr").asInt()).put("seed", SEED));
            assertThat(same.get("same").asBoolean()).as(same.toString()).isTrue();
            assertThat(responder
                            .call(
                                    "mr_guard",
                                    Json.object().put("mr", target.get("mr").asInt()))
                            .get("intact")
                            .asBoolean())
                    .isTrue();
            engine.call("close", Json.object().put("conn", 1));
            await(responder, event -> event.path("state").asString("").equals("closed"));
        }
    }

    private static Path responder(Path folder) throws IOException, InterruptedException {
        return Foreign.compiled(folder, "responder", "c/responder.c");
    }

    private static JsonNode region(Agent agent) {
        var arguments = Json.object().put("len", BYTES);
        arguments.putArray("access").add("local_write").add("remote_write");
        return agent.call("mr_reg", arguments);
    }

    private static JsonNode await(Agent agent, Predicate<JsonNode> wanted) {
        List<JsonNode> seen = new ArrayList<>();
        long deadline = System.nanoTime() + DEADLINE_NS;
        while (System.nanoTime() - deadline < 0) {
            for (JsonNode event : agent.events()) {
                seen.add(event);
                if (wanted.test(event)) {
                    return event;
                }
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("not told in time; told was " + seen);
    }
}
