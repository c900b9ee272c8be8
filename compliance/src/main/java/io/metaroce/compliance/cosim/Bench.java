package io.metaroce.compliance.cosim;

import io.metaroce.compliance.adapter.model.Kind;
import io.metaroce.compliance.adapter.model.RecordLog;
import io.metaroce.compliance.adapter.model.Recording;
import io.metaroce.compliance.spec.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.PriorityQueue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Two handles of a process joined by a wire of 5 us: one writes to the other without end, and everything either of them
 * does is an event. Counts events; time is for whoever calls.
 */
public final class Bench {
    private static final long ONE_WAY_NS = 5_000;
    private static final int MESSAGE_BYTES = 64 << 10;
    private static final int OUTSTANDING = 4;
    private static final long NEVER = -1L;

    private final Client client;
    private final PriorityQueue<Flight> flights = new PriorityQueue<>();
    private final int[] handles = new int[2];
    private final long[] nextNs = {NEVER, NEVER};
    private byte[] post = {};
    private long nowNs;
    private long order;
    private long events;
    private long requests;
    private int completed;

    @SuppressWarnings("ArrayRecordComponent") // ordered, never compared for equality
    private record Flight(long atNs, long order, int to, byte[] route, byte[] bytes) implements Comparable<Flight> {
        @Override
        public int compareTo(Flight other) {
            return atNs != other.atNs ? Long.compare(atNs, other.atNs) : Long.compare(order, other.order);
        }
    }

    /** A bench over this process. */
    public Bench(Client client) {
        this.client = client;
    }

    /**
     * Runs until there were so many events.
     *
     * @return the hashes of both handles: equal in equal runs
     */
    public String run(long eventsWanted) throws IOException {
        open(0, "initiator");
        open(1, "responder");
        int conn = connect();
        ObjectNode here = register(0, "local_write");
        ObjectNode there = register(1, "local_write", "remote_write");
        run(Long.MAX_VALUE, 1_000_000);
        post = bytes(command("post_write")
                .put("conn", Integer.toUnsignedLong(conn))
                .put("mr", here.path("mr").asInt())
                .put("len", MESSAGE_BYTES)
                .put("rkey", there.path("rkey").asLong())
                .put("rva", there.path("va").asLong()));
        for (int i = 0; i < OUTSTANDING; i++) {
            take(0, client.command(handles[0], nowNs, post));
        }
        run(eventsWanted, Long.MAX_VALUE);
        return hash(0) + " " + hash(1);
    }

    /** Records of both handles so far. */
    public long events() {
        return events;
    }

    /** Steps so far: requests that were replied to with effects. */
    public long requests() {
        return requests;
    }

    private void open(int side, String role) throws IOException {
        ObjectNode question = Json.object()
                .put("op", "new")
                .put("role", role)
                .put("seed", side)
                .put("mode", "step")
                .put("inputs", 0);
        handles[side] = client.ask(question).path("h").asInt();
    }

    private static ObjectNode command(String name) {
        return Json.object().put("do", name);
    }

    private static byte[] bytes(ObjectNode node) {
        return Json.line(node).getBytes(StandardCharsets.UTF_8);
    }

    private int connect() throws IOException {
        take(1, client.command(handles[1], nowNs, bytes(command("listen"))));
        ObjectNode question = command("connect").put("to", "10.0.0.2:49741");
        return (int) answer(0, question).path("conn").asLong();
    }

    private ObjectNode register(int side, String... access) throws IOException {
        ObjectNode question = command("mr_reg").put("len", MESSAGE_BYTES);
        Arrays.stream(access).forEach(question.putArray("access")::add);
        return answer(side, question);
    }

    // The answer of a command comes in JSON, and then the effects do too; of these only packets matter here.
    private ObjectNode answer(int side, ObjectNode question) throws IOException {
        JsonNode reply =
                client.ask(question.put("op", "cmd").put("h", handles[side]).put("t", nowNs));
        for (JsonNode effect : reply.path("effects")) {
            if (effect.path("kind").asString().equals(Kind.TX.name())) {
                String hex = effect.path("hex").asString();
                fly(side, nowNs, route(side, 49_741), java.util.HexFormat.of().parseHex(hex));
            }
        }
        nextNs[side] = reply.has("next") ? reply.path("next").asLong() : NEVER;
        return (ObjectNode) reply.path("answer");
    }

    private static byte[] route(int from, int port) {
        return ByteBuffer.allocate(Recording.ROUTE_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(0, (byte) 10)
                .put(3, (byte) (from + 1))
                .putShort(16, (short) port)
                .putShort(18, (short) 49_741)
                .put(21, (byte) 2)
                .array();
    }

    private void fly(int side, long tNs, byte[] route, byte[] bytes) {
        flights.add(new Flight(tNs + ONE_WAY_NS, order++, 1 - side, route, bytes));
    }

    private void run(long eventsWanted, long untilNs) throws IOException {
        while (events < eventsWanted) {
            Flight flight = flights.peek();
            long arrivalNs = flight == null ? NEVER : flight.atNs();
            int side = Long.compareUnsigned(nextNs[0], nextNs[1]) <= 0 ? 0 : 1;
            long atNs = Long.compareUnsigned(arrivalNs, nextNs[side]) <= 0 ? arrivalNs : nextNs[side];
            if (Long.compareUnsigned(atNs, untilNs) > 0 || atNs == NEVER) {
                nowNs = untilNs;
                return;
            }
            nowNs = atNs;
            if (flight != null && arrivalNs == atNs) {
                flights.remove();
                take(flight.to(), client.receive(handles[flight.to()], nowNs, flight.route(), flight.bytes()));
            } else {
                take(side, client.advance(handles[side], nowNs));
            }
            for (; completed > 0; completed--) {
                take(0, client.command(handles[0], nowNs, post));
            }
        }
    }

    private void take(int side, Client.Effects effects) {
        requests++;
        events += effects.count();
        nextNs[side] = effects.hasMore() ? effects.reachedNs() : effects.nextNs();
        int bytesAt = effects.bytesAt();
        for (int i = 0; i < effects.count(); i++) {
            int at = i * RecordLog.RECORD_BYTES;
            int kind = effects.records().get(at + RecordLog.KIND);
            if (kind == Kind.TX.number()) {
                int length = effects.records().getInt(at + RecordLog.LEN);
                int port = (int) (effects.records().getLong(at + RecordLog.ARG0) >>> 16) & 0xFFFF;
                byte[] bytes = Arrays.copyOfRange(effects.bytes(), bytesAt, bytesAt + length);
                fly(side, effects.records().getLong(at + RecordLog.T_NS), route(side, port), bytes);
                bytesAt += length;
            } else if (kind == Kind.CQE.number()) {
                completed++;
            }
        }
    }

    private String hash(int side) throws IOException {
        return client.ask(Json.object().put("op", "hash").put("h", handles[side]))
                .path("sha256")
                .asString();
    }
}
