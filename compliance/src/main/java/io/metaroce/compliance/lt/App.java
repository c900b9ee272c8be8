package io.metaroce.compliance.lt;

import io.metaroce.compliance.spec.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The application above the implementation, in the words of tests. */
public final class App {
    private final Trial trial;
    private int conn;

    /**
     * A region of the implementation.
     *
     * @param id the agent's number
     * @param rkey key for peers
     * @param address address for peers
     * @param length bytes
     */
    public record Region(int id, int rkey, long address, int length) {}

    App(Trial trial) {
        this.trial = trial;
    }

    /** Which connection the calls to come are about. */
    public App on(int connection) {
        conn = connection;
        return this;
    }

    /** The connection the calls are about. */
    public int conn() {
        return conn;
    }

    // ---- memory

    /** A region that peers may write, read and compute with, filled with the pattern of this seed. */
    public Region region(int length, long seed) {
        Region region = region(length, 0, "local_write", "remote_write", "remote_read", "remote_atomic");
        trial.call("mr_fill", Json.object().put("mr", region.id()).put("seed", seed));
        return region;
    }

    /** A region full of one byte. */
    public Region blank(int length) {
        Region region = region(length, 0, "local_write", "remote_write", "remote_read", "remote_atomic");
        return fill(region, 0x11);
    }

    /** A region of one domain with these permissions. */
    public Region region(int length, int domain, String... access) {
        ObjectNode arguments = Json.object().put("len", length).put("pd", domain);
        ArrayNode list = arguments.putArray("access");
        List.of(access).forEach(list::add);
        ObjectNode answer = trial.call("mr_reg", arguments);
        Region region = new Region(
                answer.get("mr").asInt(),
                (int) answer.get("rkey").asLong(),
                answer.get("va").asLong(),
                length);
        trial.guard(region);
        return region;
    }

    /** Fills a region with one byte. */
    public Region fill(Region region, int value) {
        trial.call("mr_fill", Json.object().put("mr", region.id()).put("off", 0).put("byte", value));
        return region;
    }

    /** Ends a region; afterwards nobody may reach it. */
    public void deregister(Region region) {
        trial.unguard(region);
        trial.call("mr_dereg", Json.object().put("mr", region.id()));
    }

    /** Whether a range holds the pattern of this seed from position {@code at} on. */
    public boolean holds(Region region, int offset, int length, long seed, long at) {
        return trial.call(
                        "mr_check",
                        Json.object()
                                .put("mr", region.id())
                                .put("off", offset)
                                .put("len", length)
                                .put("seed", seed)
                                .put("at", at))
                .get("same")
                .asBoolean();
    }

    /** Whether a range holds nothing but this byte. */
    public boolean isBlank(Region region, int offset, int length, int value) {
        return trial.call(
                        "mr_check",
                        Json.object()
                                .put("mr", region.id())
                                .put("off", offset)
                                .put("len", length)
                                .put("byte", value))
                .get("same")
                .asBoolean();
    }

    /** The same with the byte of {@link #blank}. */
    public boolean isBlank(Region region, int offset, int length) {
        return isBlank(region, offset, length, 0x11);
    }

    /** A few bytes in hexadecimal. */
    public String bytes(Region region, int offset, int length) {
        return trial.call(
                        "mr_read",
                        Json.object().put("mr", region.id()).put("off", offset).put("len", length))
                .get("hex")
                .asString();
    }

    // ---- work

    /** Posts a Write of the stream's connection. */
    public void write(int stream, long wr, Region from, int offset, int length, long to) {
        post(
                "post_write",
                stream,
                wr,
                from,
                offset,
                length,
                Json.object().put("rva", to).put("rkey", Peer.RKEY));
    }

    /** Posts a Write on stream 0 to the same offset of the tester's memory. */
    public void write(long wr, Region from, int offset, int length) {
        write(0, wr, from, offset, length, Peer.MEMORY + offset);
    }

    /** Posts a Send. */
    public void send(int stream, long wr, Region from, int offset, int length) {
        post("post_send", stream, wr, from, offset, length, Json.object());
    }

    /** Posts a Read from the tester's memory. */
    public void read(int stream, long wr, Region into, int offset, int length, long from) {
        post(
                "post_read",
                stream,
                wr,
                into,
                offset,
                length,
                Json.object().put("rva", from).put("rkey", Peer.RKEY));
    }

    /** Posts any work request; {@code more} has the arguments that only it has. */
    public void post(String command, int stream, long wr, Region region, int offset, int length, ObjectNode more) {
        trial.call(
                command,
                more.put("conn", conn)
                        .put("stream", stream)
                        .put("wr", wr)
                        .put("mr", region.id())
                        .put("off", offset)
                        .put("len", length));
    }

    /** Posts a receive. */
    public void receive(int stream, long wr, Region into, int offset, int length) {
        post("post_recv", stream, wr, into, offset, length, Json.object());
    }

    /** Closes the connection, having finished what was posted. */
    public void close() {
        trial.call("close", Json.object().put("conn", conn));
    }

    /** Gives the connection up. */
    public void abort() {
        trial.call("close", Json.object().put("conn", conn).put("mode", "abort"));
    }

    /** Takes a path out of use, or lets it return. */
    public void park(int path, boolean isUp) {
        trial.call(
                "path_admin", Json.object().put("conn", conn).put("path", path).put("up", isUp));
    }

    /** Takes a plane's port down or up. */
    public void plane(int plane, boolean isUp) {
        trial.call("plane", Json.object().put("plane", plane).put("up", isUp));
    }

    // ---- news

    /** Completions of this connection so far. */
    public List<JsonNode> completions() {
        return trial.events().stream()
                .filter(event -> event.get("evt").asString().equals("cqe")
                        && event.path("conn").asInt() == conn)
                .toList();
    }

    /** The completion of a work request, if it came. */
    public Optional<JsonNode> completion(long wr) {
        return completions().stream()
                .filter(event -> event.get("wr").asLong() == wr)
                .findFirst();
    }

    /** How a work request ended; an empty text while it has not. */
    public String status(long wr) {
        return completion(wr).map(event -> event.get("status").asString()).orElse("");
    }

    /** Whether a work request has succeeded. */
    public boolean isDone(long wr) {
        return status(wr).equals("SUCCESS");
    }

    /** Numbers of the work requests in the order in which they ended. */
    public List<Long> order() {
        return completions().stream().map(event -> event.get("wr").asLong()).toList();
    }

    /** What happened to the connection, in order. */
    public List<String> states() {
        return trial.events().stream()
                .filter(event -> event.get("evt").asString().equals("conn_state")
                        && event.path("conn").asInt() == conn)
                .map(event ->
                        event.get("state").asString() + " " + event.path("why").asString(""))
                .map(String::strip)
                .toList();
    }

    /** A counter. */
    public long counter(String name) {
        return trial.call("stats", Json.object()).path(name).asLong();
    }

    /** The window of the whole connection, in bytes. */
    public long window() {
        return trial.call("paths", Json.object().put("conn", conn))
                .path("window")
                .asLong();
    }

    /** Tells the implementation of an ICMP error for a source port. */
    public void unreachable(int plane, int port) {
        trial.call("icmp", Json.object().put("conn", conn).put("plane", plane).put("entropy", port - 49_152));
    }

    /** The paths of the connection. */
    public List<JsonNode> paths() {
        List<JsonNode> all = new java.util.ArrayList<>();
        trial.call("paths", Json.object().put("conn", conn)).get("paths").forEach(all::add);
        return all;
    }
}
