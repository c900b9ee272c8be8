package io.metaroce.compliance.run;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.compliance.adapter.EngineAgent;
import io.metaroce.compliance.adapter.VirtualWire;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.utp.Agent;
import io.metaroce.compliance.utp.UtpException;
import io.metaroce.param.Profiles;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Agents that do not tell the truth are found before they are asked anything else. */
class ProbesTest {
    private static Agent honest() {
        return new EngineAgent(new VirtualWire(Profiles.model(), 1, 1));
    }

    /** An honest agent whose answers are changed. */
    private static Agent liar(BiFunction<String, ObjectNode, ObjectNode> change) {
        Agent honest = honest();
        return new Agent() {
            @Override
            public ObjectNode call(String command, ObjectNode arguments) {
                if (command.equals("no_such_command")) {
                    return change.apply(command, Json.object());
                }
                return change.apply(command, honest.call(command, arguments));
            }

            @Override
            public List<JsonNode> events() {
                return honest.events();
            }

            @Override
            public void close() {
                honest.close();
            }
        };
    }

    private static ObjectNode refusing(String command, ObjectNode answer) {
        if (command.equals("no_such_command")) {
            throw new UtpException("E_UNSUPPORTED", command);
        }
        return answer;
    }

    @Test
    void theEnginesAgentIsBelieved() {
        assertThatCode(() -> Probes.ask(honest())).doesNotThrowAnyException();
        assertThatCode(() -> Probes.ask(liar(ProbesTest::refusing))).doesNotThrowAnyException();
    }

    @Test
    void whoSaysYesToEverythingIsNot() {
        assertThatThrownBy(() -> Probes.ask(liar((command, answer) -> answer)))
                .isInstanceOf(UtpException.class)
                .hasMessageContaining("says yes to an unknown command");
        assertThatThrownBy(() -> Probes.ask(liar((command, answer) ->
                        command.equals("mr_check") ? answer.put("same", true) : refusing(command, answer))))
                .hasMessageContaining("says yes to bytes that differ");
    }

    @Test
    void whoPointsToTheWrongPlaceIsNot() {
        assertThatThrownBy(() -> Probes.ask(liar(
                        (command, answer) -> answer.has("off") ? answer.put("off", 0) : refusing(command, answer))))
                .hasMessageContaining("does not say where bytes differ");
    }
}
