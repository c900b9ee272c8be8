package io.metaroce.compliance.cosim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.spec.Json;
import tools.jackson.databind.JsonNode;

/**
 * Puts requests to a session as tests write them: with single quotes.
 *
 * @param session who answers
 */
record Asking(Session session) {
    /** Whatever is answered. */
    JsonNode reply(String json) {
        return session.answer(Json.parse(json.replace('\'', '"')), json.length());
    }

    /** The answer to a request that must be granted. */
    JsonNode ask(String json) {
        JsonNode reply = reply(json);
        assertThat(reply.path("ok").asBoolean()).as(json + " " + reply).isTrue();
        return reply;
    }
}
