package io.metaroce.compliance.cosim;

import io.metaroce.compliance.spec.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Two handles of one session with a wire between them on which every datagram takes 5 us. */
public class Pair {
    static final long ONE_WAY_NS = 5_000;
    private static final long NEVER = Long.MAX_VALUE;

    public final Session session;
    public final int initiator;
    public final int responder;
    final List<JsonNode> effects = new ArrayList<>();
    private final PriorityQueue<Flight> flights = new PriorityQueue<>();
    private final long[] next = {NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER};
    private long nowNs;
    private int order;
    public long conn;

    private record Flight(long atNs, int order, int to, ObjectNode arguments) implements Comparable<Flight> {
        @Override
        public int compareTo(Flight other) {
            return atNs != other.atNs ? Long.compare(atNs, other.atNs) : Integer.compare(order, other.order);
        }
    }

    public Pair(Session session, String initiatorIs, String responderIs) {
        this.session = session;
        initiator = open("{\"role\":\"initiator\"," + initiatorIs + "}");
        responder = open("{\"role\":\"responder\"," + responderIs + "}");
    }

    Pair(Session session) {
        this(session, "\"seed\":1", "\"seed\":2");
    }

    private int open(String json) {
        return ask("new", json).path("h").asInt();
    }

    /** A request that must succeed. */
    public final JsonNode ask(String op, String json) {
        ObjectNode request = (ObjectNode) Json.parse(json.replace('\'', '"'));
        JsonNode reply = session.answer(request.put("op", op), json.length());
        if (!reply.path("ok").asBoolean()) {
            throw new AssertionError(op + " " + json + ": " + reply);
        }
        return reply;
    }

    /** A command of the application of one side, now. */
    public final JsonNode command(int handle, String json) {
        ObjectNode request = (ObjectNode) Json.parse(json.replace('\'', '"'));
        request.put("op", "cmd").put("h", handle).put("t", nowNs);
        entering(handle, request);
        JsonNode reply = session.answer(request, json.length());
        if (!reply.path("ok").asBoolean()) {
            throw new AssertionError(json + ": " + reply);
        }
        take(handle, reply);
        return reply.path("answer");
    }

    /** A datagram or command is about to enter a side. */
    protected void entering(int handle, ObjectNode request) {}

    /** A side did something. */
    protected void happened(int handle, JsonNode effect) {}

    private void take(int handle, JsonNode reply) {
        next[handle] = reply.path("next").asLong(NEVER);
        for (JsonNode effect : reply.path("effects")) {
            effects.add(((ObjectNode) effect.deepCopy()).put("h", handle));
            happened(handle, effect);
            if (effect.path("kind").asString().equals("TX")) {
                ObjectNode arguments = Json.object().put("ecn", 2);
                arguments.set("from", effect.path("from"));
                arguments.set("to", effect.path("to"));
                arguments.set("hex", effect.path("hex"));
                int to = handle == initiator ? responder : initiator;
                flights.add(new Flight(effect.path("t_ns").asLong() + ONE_WAY_NS, order++, to, arguments));
            }
        }
    }

    /** Lets time pass. */
    public final void run(long untilNs) {
        while (true) {
            Flight flight = flights.peek();
            long arrivalNs = flight == null ? NEVER : flight.atNs();
            int first = next[initiator] <= next[responder] ? initiator : responder;
            long atNs = Math.min(arrivalNs, next[first]);
            if (atNs > untilNs) {
                nowNs = untilNs;
                return;
            }
            nowNs = atNs;
            if (arrivalNs == atNs) {
                Flight arrived = flights.remove();
                ObjectNode request = arrived.arguments().deepCopy();
                request.put("op", "rx").put("h", arrived.to()).put("t", nowNs);
                entering(arrived.to(), request);
                take(arrived.to(), session.answer(request, 0));
            } else {
                take(first, ask("advance", "{'h':" + first + ",'t':" + nowNs + "}"));
            }
        }
    }

    /** Connects and writes 20,000 bytes from one side to the other; answers with the hashes of both. */
    public final String transfer() {
        command(responder, "{'do':'listen'}");
        run(10);
        conn = command(initiator, "{'do':'connect','to':'10.0.0.2:49741'}")
                .path("conn")
                .asLong();
        command(initiator, "{'do':'mr_reg','len':65536,'access':['local_write']}");
        JsonNode there = command(responder, "{'do':'mr_reg','len':65536,'access':['local_write','remote_write']}");
        command(initiator, "{'do':'mr_fill','mr':1,'len':20000,'seed':7}");
        run(1_000_000);
        command(
                initiator,
                "{'do':'post_write','conn':" + conn + ",'wr':9,'mr':1,'len':20000,'rkey':" + there.path("rkey")
                        + ",'rva':" + there.path("va") + "}");
        run(2_000_000);
        return hash(initiator) + hash(responder);
    }

    public final String hash(int handle) {
        return ask("hash", "{'h':" + handle + "}").path("sha256").asString();
    }

    public final long nowNs() {
        return nowNs;
    }

    /** The effects of a kind on one side. */
    List<JsonNode> effects(int handle, String kind) {
        return effects.stream()
                .filter(effect -> effect.path("h").asInt() == handle
                        && effect.path("kind").asString().equals(kind))
                .toList();
    }
}
