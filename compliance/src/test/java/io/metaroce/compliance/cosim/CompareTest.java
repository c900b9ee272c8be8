package io.metaroce.compliance.cosim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.spec.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Mode predict, logs that are compared afterwards, choices, and what was covered. */
class CompareTest {
    private static final String PREDICTED = "\"seed\":2,\"mode\":\"predict\",\"profile\":\"determinised@1.0\"";
    private final Session session = new Session(SessionTest.CODEC);
    private final Asking asking = new Asking(session);

    /** A pair that writes down what enters and leaves its responder. */
    private static final class Logged extends Pair {
        private final List<ObjectNode> log = new ArrayList<>();

        Logged(Session session) {
            super(session, "\"seed\":1,\"params\":{\"paths\":1}", PREDICTED);
        }

        @Override
        protected void entering(int handle, ObjectNode request) {
            if (handle == responder) {
                ObjectNode event = request.deepCopy();
                String kind = event.path("op").asString().equals("rx") ? "RX" : "CMD";
                log.add(event.put("kind", kind).put("t_ns", request.path("t").asLong()));
            }
        }

        @Override
        protected void happened(int handle, JsonNode effect) {
            String what = effect.path("what").asString("");
            if (handle == responder
                    && !List.of("path", "rebound", "payload", "hint").contains(what)) {
                log.add(((ObjectNode) effect).deepCopy());
            }
        }
    }

    private Logged logged() {
        Logged pair = new Logged(session);
        String unused = pair.transfer();
        return pair;
    }

    private JsonNode events(int handle, List<ObjectNode> log) {
        ObjectNode request = Json.object().put("op", "events").put("h", handle);
        ArrayNode batch = request.putArray("batch");
        log.forEach(batch::add);
        return session.answer(request, 0);
    }

    private int open(String json) {
        JsonNode reply = asking.ask("{'op':'new'," + json.replace('"', '\'') + "}");
        return reply.path("h").asInt();
    }

    @Test
    void whatIsPredictedComesByteByByte() {
        Logged pair = logged();
        JsonNode reply = events(open(PREDICTED), pair.log);
        assertThat(reply.path("result").asString()).as(reply.toString()).isEqualTo("ok");
        assertThat(reply.path("count").asInt()).isEqualTo(pair.log.size()).isGreaterThan(40);
    }

    @Test
    void aByteThatDiffersIsFoundAtItsIndex() {
        Logged pair = logged();
        int at = 0;
        while (!pair.log.get(at).path("kind").asString().equals("TX")) {
            at++;
        }
        String hex = pair.log.get(at).path("hex").asString();
        pair.log.get(at).put("hex", "ff" + hex.substring(2));
        JsonNode reply = events(open(PREDICTED), pair.log);
        assertThat(reply.path("err").asString()).isEqualTo("E_MISMATCH");
        assertThat(reply.path("index").asInt()).isEqualTo(at);
        assertThat(reply.path("field").asString()).isEqualTo("byte 0");
        assertThat(reply.path("requirement").asString()).isEqualTo("R-HDR-001");
    }

    @Test
    void theRequirementIsThatOfTheFieldWhichDiffers() {
        Logged pair = logged();
        int at = 0;
        while (pair.log.get(at).path("opcode").asInt() != 0x10
                || !pair.log.get(at).path("kind").asString().equals("TX")) {
            at++;
        }
        String hex = pair.log.get(at).path("hex").asString();
        List<List<Object>> bytes = List.of(List.of(16, "R-HINT-003"), List.of(8, "R-ACK-005"), List.of(4, "R-HDR-009"));
        for (List<Object> each : bytes) {
            int digit = 2 * (int) each.get(0);
            char other = hex.charAt(digit) == '0' ? '1' : '0';
            pair.log.get(at).put("hex", hex.substring(0, digit) + other + hex.substring(digit + 1));
            JsonNode reply = events(open(PREDICTED), pair.log);
            assertThat(reply.path("requirement").asString()).isEqualTo(each.get(1));
        }
    }

    @Test
    void whatIsMissingInALogIsFoundWhenTheNextIsTold() {
        Logged pair = logged();
        pair.log.removeIf(event -> event.path("kind").asString().equals("PLACE"));
        JsonNode reply = events(open(PREDICTED), pair.log);
        assertThat(reply.path("field").asString()).as(reply.toString()).isEqualTo("kind");
        assertThat(reply.path("exp").asString()).contains("PLACE");
        assertThat(reply.path("requirement").asString()).isEqualTo("R-ORD-001");
    }

    @Test
    void whatIsDueBeforeAChoiceHasHappenedWhenItIsJudged() {
        Pair pair = new Pair(session);
        String unused = pair.transfer();
        JsonNode posted = pair.command(
                pair.initiator, "{'do':'post_write','conn':" + pair.conn + ",'wr':10,'mr':1,'len':8,'rkey':0,'rva':0}");
        assertThat(posted).isNotNull();
        // Nothing of that arrives, so the connection is given up before the choice, and the request is complete.
        String early =
                "{'op':'choose','h':" + pair.initiator + ",'t':" + pair.nowNs() + ",'point':'cqe_batch','value':";
        String late = "{'op':'choose','h':" + pair.initiator + ",'t':60000000000,'point':'cqe_batch','value':";
        assertThat(choice(early + "2}")).isEqualTo("E_FORBIDDEN R-ORD-006");
        assertThat(choice(late + "2}")).isEqualTo("allowed");
        assertThat(choice(late + "3}")).isEqualTo("E_FORBIDDEN R-ORD-006");
    }

    @Test
    void choicesAreAllowedForbiddenOrUnsupported() {
        Pair pair = new Pair(session);
        String unused = pair.transfer();
        String to = "{'op':'choose','h':" + pair.initiator + ",'t':" + pair.nowNs() + ",'conn':" + pair.conn + ",";
        JsonNode paths = asking.ask("{'op':'state','h':" + pair.initiator + ",'level':'model'}")
                .path("state")
                .path("connections")
                .path(Long.toHexString(pair.conn))
                .path("paths");
        int entropy = paths.path(0).path("entropy").asInt();
        assertThat(choice(to + "'point':'path_select','value':0}")).isEqualTo("E_UNSUPPORTED ");
        assertThat(choice(to + "'point':'path_select','value':9}")).isEqualTo("E_FORBIDDEN R-HEALTH-001");
        assertThat(choice(to + "'point':'ack_now','value':9}")).isEqualTo("E_FORBIDDEN R-ACK-004");
        assertThat(choice(to + "'point':'rtx_pace','value':9}")).isEqualTo("E_UNSUPPORTED ");
        assertThat(choice(to + "'point':'rate_share','value':9}")).isEqualTo("E_UNSUPPORTED ");
        assertThat(choice(to + "'point':'probe_time','value':9}")).isEqualTo("E_UNSUPPORTED ");
        assertThat(choice(to + "'point':'timer_fire_time','value':9}")).isEqualTo("E_UNSUPPORTED ");
        assertThat(choice(to + "'point':'initial_psn','value':9}")).isEqualTo("allowed");
        assertThat(choice(to + "'point':'crc_seed','value':9}")).isEqualTo("allowed");
        assertThat(choice(to + "'point':'nonce','value':9}")).isEqualTo("allowed");
        assertThat(choice(to + "'point':'conn_id','value':9}")).isEqualTo("allowed");
        assertThat(choice(to + "'point':'conn_id','value':" + pair.conn + "}")).isEqualTo("E_FORBIDDEN R-CONN-005");
        assertThat(choice(to + "'point':'cqe_batch','value':1}")).isEqualTo("allowed");
        assertThat(choice(to + "'point':'cqe_batch','value':2}")).isEqualTo("E_FORBIDDEN R-ORD-006");
        long failure = 1L << 32;
        long voluntary = 2L << 32;
        assertThat(choice(to + "'point':'rebind','value':" + failure + "}")).isEqualTo("E_FORBIDDEN R-HEALTH-002");
        assertThat(choice(to + "'point':'rebind','value':" + (voluntary + entropy) + "}"))
                .isEqualTo("allowed");
        assertThat(choice(to + "'point':'rebind','value':" + (voluntary + 60_000) + "}"))
                .isEqualTo("E_UNSUPPORTED ");
        assertThat(choice(to + "'point':'no','value':9}")).isEqualTo("E_ARG ");
        assertThat(choice(to + "'point':99,'value':9}")).isEqualTo("E_ARG ");
    }

    @Test
    void aTimerRunsWhenTheDeviceSaysSo() {
        int handle = open("\"role\":\"initiator\"");
        long next = asking.ask("{'op':'cmd','h':" + handle + ",'t':0,'do':'connect','to':'10.0.0.2:49741'}")
                .path("next")
                .asLong();
        JsonNode fired = asking.ask(
                "{'op':'choose','h':" + handle + ",'t':7,'point':'timer_fire_time','value':" + (next + 500) + "}");
        assertThat(fired.path("reached").asLong()).isEqualTo(next + 500);
        assertThat(fired.path("effects").path(0).path("kind").asString()).isEqualTo("TIMER_FIRE");
        assertThat(fired.path("effects").path(0).path("due_ns").asLong()).isEqualTo(next);
        assertThat(fired.path("effects").path(1).path("kind").asString()).isEqualTo("TX");
    }

    @Test
    void aChoiceIsPartOfWhatIsReplayed() {
        int handle = open("\"role\":\"initiator\"");
        asking.ask("{'op':'choose','h':" + handle + ",'t':0,'point':'conn_id','value':4711}");
        int fork = asking.ask("{'op':'fork','h':" + handle + "}").path("h").asInt();
        for (int each : new int[] {handle, fork}) {
            assertThat(asking.ask("{'op':'cmd','h':" + each + ",'t':0,'do':'connect','to':'10.0.0.2:49741'}")
                            .path("answer")
                            .path("conn")
                            .asInt())
                    .isEqualTo(4711);
        }
    }

    @Test
    void whatWasMetIsCounted() {
        Logged pair = logged();
        JsonNode covered = asking.ask("{'op':'cov','h':" + pair.responder + "}").path("cov");
        assertThat(covered.path("kinds").path("PLACE").asInt()).isGreaterThanOrEqualTo(5);
        assertThat(covered.path("rx_opcodes").path("0x20").asInt()).isGreaterThanOrEqualTo(5);
        assertThat(covered.path("tx_opcodes").path("0x10").asInt()).isPositive();
        assertThat(covered.path("states").path("established").asInt()).isEqualTo(1);
    }

    @Test
    void whatCannotBeExpectedIsSaid() {
        int handle = open("\"seed\":1");
        String expect = "{'op':'expect','h':" + handle + ",'t_ns':0,";
        assertThat(choice(expect + "'kind':'COUNTER'}")).isEqualTo("E_ARG ");
        assertThat(choice(expect + "'kind':'RX'}")).isEqualTo("E_ARG ");
        assertThat(choice(expect + "'kind':'NONE'}")).isEqualTo("E_ARG ");
        assertThat(choice(expect + "'kind':'TIMER_FIRE'}")).isEqualTo("E_UNSUPPORTED ");
        assertThat(choice(expect + "'kind':'STATE','what':'hint'}")).isEqualTo("E_UNSUPPORTED ");
        assertThat(choice(expect + "'kind':'CQE','status':'FINE'}")).isEqualTo("E_ARG ");
        assertThat(choice(expect + "'kind':'CQE'}")).isEqualTo("E_MISMATCH R-ORD-006");
        int stepped = open("\"mode\":\"step\"");
        assertThat(choice("{'op':'expect','h':" + stepped + ",'kind':'CQE'}")).isEqualTo("E_STATE ");
        assertThat(choice("{'op':'events','h':" + handle + ",'batch':7}")).isEqualTo("E_ARG ");
    }

    @Test
    void whatARefusedEventHasLeftIsNotLost() {
        Pair pair = new Pair(session, "\"seed\":1", "\"seed\":2,\"params\":{\"keepalive_ms\":1,\"dead_ms\":3600000}");
        String unused = pair.transfer();
        long untilNs = pair.nowNs() + 10_000_000_000L;
        int fork =
                asking.ask("{'op':'fork','h':" + pair.responder + "}").path("h").asInt();
        String advance = ",'batch':[{'kind':'ADVANCE','t_ns':" + untilNs + "}]}";
        String arrival = ",'batch':[{'kind':'RX','t_ns':" + untilNs + ",'from':'10.0.0.1:7','hex':'00'}]}";
        assertThat(choice("{'op':'events','h':" + fork + arrival)).isEqualTo("E_MORE ");
        asking.ask("{'op':'events','h':" + fork + advance);
        asking.ask("{'op':'events','h':" + pair.responder + advance);
        String straight = asking.ask("{'op':'cov','h':" + pair.responder + "}").toString();
        assertThat(asking.ask("{'op':'cov','h':" + fork + "}")).hasToString(straight);
    }

    private String choice(String json) {
        JsonNode reply = asking.reply(json);
        return reply.path("ok").asBoolean()
                ? reply.path("result").asString()
                : reply.path("err").asString() + " " + reply.path("requirement").asString("");
    }
}
