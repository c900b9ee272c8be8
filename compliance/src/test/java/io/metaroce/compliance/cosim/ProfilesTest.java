package io.metaroce.compliance.cosim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.adapter.model.ModelProfiles;
import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The registry of settings: its ranges are those of the engine, and whatever lies within runs. */
class ProfilesTest {
    private static final JsonNode REGISTRY = ModelProfiles.registry();

    @Test
    void rangesOfTheRegistryAreThoseOfTheEngine() {
        for (JsonNode setting : REGISTRY.path("settings")) {
            String name = setting.path("name").asString();
            for (long value : edges(setting)) {
                assertThat(opens(name, value)).as(name + " = " + value).isTrue();
            }
            if (setting.has("min") && !name.equals("endpoint_key")) {
                assertThat(opens(name, setting.path("min").asLong() - 1))
                        .as(name + " below its range")
                        .isFalse();
                assertThat(opens(name, setting.path("max").asLong() + 1))
                        .as(name + " above its range")
                        .isFalse();
            }
        }
    }

    private static List<Long> edges(JsonNode setting) {
        List<Long> edges = new ArrayList<>();
        setting.path("values").forEach(value -> edges.add(value.asLong()));
        if (setting.has("min")) {
            edges.add(setting.path("min").asLong());
            edges.add(setting.path("max").asLong());
        }
        edges.add(setting.path("default").asLong());
        return edges;
    }

    private static boolean opens(String name, long value) {
        ObjectNode request = Json.object().put("op", "new");
        request.putObject("params").put(name, value);
        JsonNode reply = new Session(SessionTest.CODEC).answer(request, 0);
        assertThat(reply.path("err").asString("")).isIn("", "E_ARG");
        return reply.path("ok").asBoolean();
    }

    @Test
    void whatIsDrawnFromTheRangesRunsToTheEnd() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 24; i++) {
            String left = drawn(random);
            String right = drawn(random);
            Pair pair = new Pair(new Session(SessionTest.CODEC), "\"seed\":" + i + left, "\"seed\":" + ~i + right);
            String unused = pair.transfer();
            pair.run(2_000_000_000);
            assertThat(pair.effects(pair.initiator, "CQE"))
                    .as("initiator " + left + ", responder " + right)
                    .singleElement()
                    .satisfies(
                            done -> assertThat(done.path("status").asString()).isEqualTo("SUCCESS"));
            assertThat(pair.command(pair.responder, "{'do':'mr_check','mr':1,'len':20000,'seed':7}")
                            .path("same")
                            .asBoolean())
                    .isTrue();
        }
    }

    // A few settings at a time; the dead time stays, since a run must be able to end.
    private static String drawn(SplittableRandom random) {
        ObjectNode params = Json.object();
        for (JsonNode setting : REGISTRY.path("settings")) {
            String name = setting.path("name").asString();
            if (random.nextInt(3) == 0 && !name.equals("dead_ms") && !name.equals("keepalive_ms")) {
                List<Long> edges = edges(setting);
                params.put(name, edges.get(random.nextInt(edges.size())));
            }
        }
        return ",\"params\":" + Json.line(params);
    }

    @Test
    void profilesNameSettingsAndChoicesThatExist() throws IOException {
        String choices = Files.readString(Checkout.spec().resolve("impl-defined.json"));
        List<String> names = new ArrayList<>();
        for (JsonNode setting : REGISTRY.path("settings")) {
            names.add(setting.path("name").asString());
            assertThat(setting.path("effect").asString()).isNotEmpty();
            String choice = setting.path("choice").asString();
            assertThat(choice.isEmpty() || choices.contains("\"" + choice + "\""))
                    .as(choice)
                    .isTrue();
        }
        assertThat(names).doesNotHaveDuplicates();
        String page = Files.readString(Checkout.root().resolve("docs/cosim.md"));
        for (JsonNode profile : REGISTRY.path("profiles")) {
            profile.path("set").properties().forEach(entry -> assertThat(names).contains(entry.getKey()));
            String id = profile.path("id").asString();
            assertThat(id).matches("[a-z]+@\\d+\\.\\d+");
            assertThat(page).contains("| `" + id + "` |");
            JsonNode reply = new Session(SessionTest.CODEC)
                    .answer(Json.object().put("op", "new").put("profile", id), 0);
            assertThat(reply.path("profile").asString()).isEqualTo(id);
        }
    }
}
