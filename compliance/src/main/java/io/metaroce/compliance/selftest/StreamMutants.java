package io.metaroce.compliance.selftest;

import static io.metaroce.compliance.selftest.ConnectionMutants.renamed;
import static io.metaroce.compliance.selftest.Mutants.blocks;
import static io.metaroce.compliance.selftest.Mutants.field;
import static io.metaroce.compliance.selftest.Mutants.isAgain;
import static io.metaroce.compliance.selftest.Mutants.isSlot;
import static io.metaroce.compliance.selftest.Mutants.named;
import static io.metaroce.compliance.selftest.Mutants.updates;

import io.metaroce.compliance.lt.codec.Packet;
import io.metaroce.compliance.spec.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Broken streams, messages and memory, and broken ways of being found. */
final class StreamMutants {
    private StreamMutants() {}

    static void addTo(Mutants to) {
        packets(to);
        memory(to);
        streams(to);
        sends(to);
        reads(to);
        connections(to);
    }

    private static void packets(Mutants to) {
        to.add(
                "a count is one too high",
                "WIRE-01",
                "R-HDR-001",
                () -> new Fault()
                        .out(
                                named("ACK"),
                                p -> p.set(
                                        "path_block_count",
                                        p.fields().list("path_blocks").size() + 1)));
        to.add(
                "an unknown critical option draws another code",
                "WIRE-04",
                "R-HDR-005",
                () -> new Fault().out(named("NAK"), field("code", 3)));
        to.add(
                "short packets are not counted",
                "WIRE-07",
                "R-HDR-002",
                () -> new Fault().lie("stats", answer -> answer.put("drop_length", 0)));
        to.add(
                "a packet with a broken option is placed",
                "WIRE-05",
                "R-HDR-006",
                () -> new Fault().lie("mr_check", answer -> answer.put("same", false)));
        to.add("a drop is counted several times", "WIRE-05", "R-OBS-003", () -> {
            int[] n = {0};
            return new Fault().lie("stats", answer -> answer.put("drop_unexpected", n[0]++));
        });
        to.add("a connection is found by its address", "WIRE-10", "R-HDR-009", () -> {
            byte[] number = new byte[4];
            boolean[] isKnown = {false};
            return new Fault()
                    .raw(bytes -> {
                        if (bytes.length > 48 && isKnown[0]) {
                            System.arraycopy(number, 0, bytes, 4, 4);
                        } else if (bytes.length > 48) {
                            isKnown[0] = true;
                            System.arraycopy(bytes, 4, number, 0, 4);
                        }
                        return bytes;
                    })
                    .unchecked();
        });
        to.add(
                "stamps are compared without sign",
                "PATH-06",
                "R-PATH-002",
                () -> new Fault()
                        .out(
                                named("ACK"),
                                blocks(b -> b.put(
                                        "echo_stamp", b.get("echo_stamp") < 16 ? 0xFFFF_FFFFL : b.get("echo_stamp")))));
        to.add("the echo never goes back, however long the silence", "PATH-19", "R-PATH-019", () -> {
            long[] most = {0};
            return new Fault().out(named("ACK"), blocks(b -> {
                most[0] = Math.max(most[0], b.get("echo_stamp"));
                b.put("echo_stamp", most[0]);
            }));
        });
    }

    /** From the n-th answer of the agent on, memory is not as it should be. */
    private static Fault spoiled(int n) {
        int[] count = {0};
        return new Fault()
                .lie(
                        "mr_check",
                        answer -> answer.put(
                                "same", count[0]++ < n && answer.get("same").asBoolean()));
    }

    private static void memory(Mutants to) {
        to.add("a duplicate is placed", "PATH-05", "R-MEM-001", () -> spoiled(1));
        to.add("a bit is told before its bytes are there", "SACK-03", "R-SACK-002", () -> spoiled(0));
        to.add(
                "bytes beside a region are written",
                "ROB-01",
                "R-SEC-002",
                () -> new Fault().lie("mr_guard", answer -> answer.put("intact", false)));
        to.add("buffers are written after they were given back", "PLC-06", "R-MEM-006", () -> spoiled(1));
        to.add("closed connections place packets", "PLC-07", "R-MEM-007", () -> spoiled(1));
        to.add("regions of other domains are open", "PLC-16", "R-MEM-002", () -> spoiled(2));
        to.add("keys stay valid", "PLC-02", "R-MEM-004", () -> spoiled(0));
    }

    private static void streams(Mutants to) {
        to.add("acknowledged slots complete messages", "ORD-02", "R-ORD-006", () -> {
            long[] highest = {-1};
            return new Fault()
                    .outMany(Mutants::isSlot, p -> {
                        highest[0] = Math.max(highest[0], p.get("msn"));
                        return List.of(p);
                    })
                    .in(named("ACK"), updates(u -> u.put("next_msn", Math.max(u.get("next_msn"), highest[0] + 1))));
        });
        to.add(
                "an immediate is lost",
                "ORD-05",
                "R-ORD-002",
                () -> new Fault()
                        .events(events -> events.stream()
                                .map(event -> event.has("imm") ? ((ObjectNode) event.deepCopy()).put("imm", 0) : event)
                                .map(JsonNode.class::cast)
                                .toList()));
        to.add(
                "a fence is ignored",
                "ORD-06",
                "R-ORD-005",
                () -> new Fault().ask("post_write", args -> args.remove("flags")));
        to.add("an older refusal counts", "ORD-10", "R-ORD-010", () -> {
            int[] n = {1000};
            return new Fault().in(named("ACK"), p -> p.set("psn", n[0]++));
        });
        to.add(
                "the error of a stream stops others",
                "ERR-03",
                "R-ERR-002",
                () -> new Fault().deafTo(p -> isSlot(p) && p.get("stream_id") == 2));
    }

    private static void sends(Mutants to) {
        to.add(
                "a Send takes the next buffer, not its own",
                "SEND-01",
                "R-SEND-001",
                () -> new Fault().in(p -> p.is("SEND") && p.get("rsn") == 2, field("rsn", 0)));
        to.add("a Send waits for those before it", "SEND-01", "R-SEND-002", () -> spoiled(1));
        to.add(
                "fragments of a refused attempt are placed",
                "SEND-04",
                "R-SEND-008",
                () -> new Fault().in(p -> p.is("SEND") && p.get("message_offset") > 0, field("attempt", 1)));
        to.add(
                "fragments of an older attempt count",
                "SEND-04",
                "R-SEND-005",
                () -> new Fault().in(p -> p.is("SEND") && p.get("message_offset") > 0, field("attempt", 1)));
        to.add("the next attempt begins while slots are missing", "SEND-09", "R-SEND-009", () -> {
            return new Fault().out(p -> p.is("SEND") && isAgain(p), field("attempt", 1));
        });
        to.add(
                "who finds no shared buffer is not told",
                "SEND-12",
                "R-SEND-012",
                () -> new Fault().outMany(named("NAK"), p -> List.of()));
        to.add(
                "an earlier message is refused for a later one",
                "SEND-14",
                "R-SEND-014",
                () -> new Fault().out(named("NAK"), field("msn", 0)));
    }

    private static void reads(Mutants to) {
        to.add(
                "a Read is executed twice",
                "READ-01",
                "R-READ-001",
                () -> new Fault()
                        .outMany(
                                named("READ_RESP"),
                                p -> List.of(
                                        p,
                                        p.copy()
                                                .set("psn", p.get("psn") + 1000)
                                                .set("tx_stamp", p.get("tx_stamp") + 1))));
        to.add("patience ends while an answer arrives", "READ-08", "R-READ-006", StreamMutants::impatient);
        to.add("answers write beside their buffers", "READ-02", "R-READ-002", () -> spoiled(2));
        to.add(
                "answers wait for room of requests",
                "READ-03",
                "R-READ-003",
                () -> new Fault().deafTo(named("READ_REQ")));
        to.add(
                "more Reads than were offered are no error",
                "READ-04",
                "R-READ-004",
                () -> new Fault().out(p -> p.fields().has("stream_updates"), updates(u -> u.put("code", 0))));
        to.add(
                "an answer that does not fit is a success",
                "READ-07",
                "R-READ-007",
                () -> new Fault().events(events -> renamed(events, "BAD_RESP_ERR", "SUCCESS")));
    }

    /** A request is told of as ended after the third part of its answer. */
    private static Fault impatient() {
        int[] parts = {0};
        int[] told = {0};
        return new Fault().in(p -> p.is("READ_RESP"), p -> parts[0]++).events(events -> {
            List<JsonNode> all = new ArrayList<>();
            for (JsonNode event : events) {
                all.add(((ObjectNode) event.deepCopy()).put("seq", told[0]++));
            }
            if (parts[0] >= 3) {
                parts[0] = -1000;
                all.add(Json.object()
                        .put("evt", "cqe")
                        .put("seq", told[0]++)
                        .put("conn", 1)
                        .put("wr", 1)
                        .put("status", "RETRY_EXC_ERR"));
            }
            return all;
        });
    }

    private static void connections(Mutants to) {
        to.add(
                "a request without proof is accepted",
                "CONN-01",
                "R-CONN-001",
                () -> new Fault()
                        .outMany(
                                named("CONN_RETRY"),
                                p -> List.of(
                                        p,
                                        new Packet("CONN_ACCEPT")
                                                .withFlags(Packet.X)
                                                .set("dst_conn_id", p.get("dst_conn_id")))));
        to.add(
                "numbers are used again at once",
                "CONN-09",
                "R-CONN-005",
                () -> new Fault().out(named("CONN_ACCEPT"), field("resp_conn_id", 0x1234)));
        to.add(
                "a late request is met by silence",
                "CONN-03",
                "R-CONN-003",
                () -> new Fault().outMany(named("CONN_REJECT"), p -> List.of()));
        to.add(
                "a refusal is told as something else",
                "CONN-12",
                "R-CONN-004",
                () -> new Fault()
                        .events(events -> events.stream()
                                .map(event -> event.has("why")
                                        ? ((ObjectNode) event.deepCopy()).put("why", "TIMEOUT")
                                        : event)
                                .map(JsonNode.class::cast)
                                .toList()));
        to.add(
                "what a close gives up succeeds",
                "CONN-07",
                "R-CONN-006",
                () -> new Fault().events(events -> renamed(events, "WR_FLUSH_ERR", "SUCCESS")));
        to.add(
                "what follows the first error is not flushed",
                "CONN-13",
                "R-CONN-006",
                () -> new Fault().events(events -> renamed(events, "WR_FLUSH_ERR", "RETRY_EXC_ERR")));
        to.add(
                "a graceful close says that it is none",
                "CONN-06",
                "R-CONN-009",
                () -> new Fault().out(named("CLOSE"), field("code", 1)));
        to.add(
                "a RESET is never believed",
                "SEC-03",
                "R-SEC-003",
                () -> new Fault().deafTo(p -> p.is("RESET") && p.fields().bytes("token")[15] == 0x5A));
    }
}
