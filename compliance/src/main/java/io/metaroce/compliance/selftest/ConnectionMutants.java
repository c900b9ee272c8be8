package io.metaroce.compliance.selftest;

import static io.metaroce.compliance.selftest.Mutants.field;
import static io.metaroce.compliance.selftest.Mutants.named;

import io.metaroce.compliance.lt.codec.Packet;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Broken ways of opening and closing, and applications that hear the wrong thing. */
final class ConnectionMutants {
    private ConnectionMutants() {}

    static void addTo(Mutants to) {
        connections(to);
        applications(to);
    }

    private static void connections(Mutants to) {
        to.add("repeated acceptances name another number", "CONN-01", "R-CONN-003", () -> {
            int[] n = {0};
            return new Fault().out(named("CONN_ACCEPT"), p -> p.set("resp_conn_id", p.get("resp_conn_id") + n[0]++));
        });
        to.add(
                "acceptances flood an address",
                "CONN-02",
                "R-CONN-002",
                () -> new Fault().outMany(named("CONN_ACCEPT"), p -> java.util.Collections.nCopies(20, p)));
        to.add(
                "VERSION_NEG lists nothing",
                "CONN-04",
                "R-CONN-004",
                () -> new Fault().out(named("VERSION_NEG"), field("versions", 0)));
        to.add(
                "rejections tell the wrong reason",
                "CONN-04",
                "R-CONN-004",
                () -> new Fault().out(named("CONN_REJECT"), field("reason", 3)));
        to.add("a repeated CLOSE is another one", "CONN-06", "R-CONN-010", () -> {
            int[] n = {0};
            return new Fault().out(named("CLOSE"), p -> p.set("close_id", p.get("close_id") + n[0]++));
        });
        to.add(
                "an answer draws an answer",
                "SEC-01",
                "R-SEC-004",
                () -> new Fault()
                        .answer((p, m) ->
                                p.is("RESET") ? List.of(new Packet("RESET").set("dead_conn_id", 1)) : List.of()));
        to.add("requests are repeated too fast", "CONN-05", "R-CONN-010", () -> {
            int[] n = {0};
            return new Fault().outMany(named("CONN_REQ"), p -> n[0]++ == 1 ? List.of(p, p) : List.of(p));
        });
        to.add(
                "a breach of the protocol ends with another code",
                "REL-09",
                "R-ACK-007",
                () -> new Fault().out(named("CLOSE"), field("code", 0)));
        to.add(
                "WINDOW is told as something else",
                "ERR-04",
                "R-ERR-004",
                () -> new Fault().out(named("CLOSE"), field("code", 0)));
    }

    private static void applications(Mutants to) {
        to.add(
                "regions live on after they were given back",
                "PLC-04",
                "R-MEM-004",
                () -> new Fault().ignore("mr_dereg"));
        to.add(
                "completions come in the order of arrival",
                "ORD-02",
                "R-ORD-002",
                () -> new Fault().events(ConnectionMutants::swapped));
        to.add(
                "an error has another status",
                "REL-09",
                "R-ERR-001",
                () -> new Fault().events(events -> renamed(events, "FATAL_ERR", "RETRY_EXC_ERR")));
        to.add(
                "a flush has another status",
                "PLC-17",
                "R-ERR-001",
                () -> new Fault().events(events -> renamed(events, "WR_FLUSH_ERR", "REM_ACCESS_ERR")));
        to.add(
                "RNR is told as something else",
                "SEND-11",
                "R-SEND-011",
                () -> new Fault().events(events -> renamed(events, "RNR_RETRY_EXC_ERR", "REM_OP_ERR")));
        to.add(
                "too long a Send is a success",
                "SEND-07",
                "R-SEND-007",
                () -> new Fault().events(events -> renamed(events, "LOC_LEN_ERR", "SUCCESS")));
        to.add(
                "counters stand still",
                "WIRE-17",
                "R-OBS-001",
                () -> new Fault().lie("stats", answer -> answer.put("tx_slots", 0)));
        to.add(
                "memory is never as it should be",
                "PLC-01",
                "R-ORD-001",
                () -> new Fault().lie("mr_check", answer -> answer.put("same", false)));
    }

    static List<JsonNode> renamed(List<JsonNode> events, String from, String to) {
        List<JsonNode> changed = new ArrayList<>();
        for (JsonNode event : events) {
            ObjectNode copy = (ObjectNode) event.deepCopy();
            if (copy.path("status").asString("").equals(from)) {
                copy.put("status", to);
            }
            changed.add(copy);
        }
        return changed;
    }

    /** Pairs of completions trade places, sequence numbers stay. */
    private static List<JsonNode> swapped(List<JsonNode> events) {
        List<JsonNode> changed = new ArrayList<>(events);
        for (int i = 0; i + 1 < changed.size(); i += 2) {
            ObjectNode first = (ObjectNode) changed.get(i).deepCopy();
            ObjectNode second = (ObjectNode) changed.get(i + 1).deepCopy();
            if (first.has("wr") && second.has("wr")) {
                long wr = first.get("wr").asLong();
                first.put("wr", second.get("wr").asLong());
                second.put("wr", wr);
                changed.set(i, first);
                changed.set(i + 1, second);
            }
        }
        return changed;
    }
}
