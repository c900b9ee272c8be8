package io.metaroce.compliance.lt;

import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.lt.codec.Packet;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.utp.Agent;
import io.metaroce.compliance.verdict.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One execution of one test: wire, agent, peers, ledger, checks. A test never sleeps; it lets time pass until something
 * has happened, or for a time that the clock of the wire measures.
 */
public final class Trial {
    private static final int FIRST_PORT = 50_100;
    private static final int BATCH = 64;
    private static final int FIRST_CONN_ID = 0x5EED_0001;

    private final Wire wire;
    private final Agent agent;
    private final Codec codec;
    private final Checks checks;
    private final JsonNode about;
    private final App iut = new App(this);
    private final List<Seen> ledger = new ArrayList<>();
    private final List<Seen> heard = new ArrayList<>();
    private final List<JsonNode> events = new ArrayList<>();
    private final List<JsonNode> spoken = new ArrayList<>();
    private final List<App.Region> guarded = new ArrayList<>();
    private final Map<Integer, Peer> peers = new TreeMap<>();
    private final Map<Peer, Monitors> monitors = new java.util.LinkedHashMap<>();
    private final List<Held> held = new ArrayList<>();
    private long nextSeq;
    private final Opening opening = new Opening(this);

    /** A trial over a fresh wire and an agent that was reset. */
    public Trial(Wire wire, Agent agent, Codec codec, Checks checks, JsonNode about) {
        this.wire = wire;
        this.agent = agent;
        this.codec = codec;
        this.checks = checks;
        this.about = about;
    }

    /** A packet that is still on its slow way; all are equally slow. */
    private record Held(long atNs, Peer peer, Seen seen) {}

    // ---- the parts

    /** The application above the implementation. */
    public App iut() {
        return iut;
    }

    /** The wire. */
    public Wire wire() {
        return wire;
    }

    /** The codec. */
    public Codec codec() {
        return codec;
    }

    /** The whole ledger. */
    public List<Seen> ledger() {
        return List.copyOf(ledger);
    }

    /** Events of the agent so far. */
    public List<JsonNode> events() {
        pump();
        return events;
    }

    /** Whether the clock is virtual, so that bounds are exact. */
    public boolean isVirtual() {
        return has("vtime");
    }

    /** Whether the implementation says that it has a capability. */
    public boolean has(String capability) {
        for (JsonNode cap : about.path("caps")) {
            if (cap.asString().equals(capability)) {
                return true;
            }
        }
        return false;
    }

    /** A parameter the agent tells of, in its unit. */
    public long param(String name, long otherwise) {
        return about.path("params").path(name).asLong(otherwise);
    }

    // ---- checks

    /** The stimulus took effect. */
    public void effective(String what, boolean isSo) {
        checks.effective(what, isSo);
    }

    /** A demand. */
    public void that(String requirement, boolean isOk, String what) {
        checks.that(requirement, isOk, what);
    }

    /** A demand about packets, which become evidence. */
    public void that(String requirement, boolean isOk, String what, Traffic evidence) {
        checks.that(requirement, isOk, isOk ? what : what + " [" + evidence + "]");
    }

    /** Something a SHOULD asks for. */
    public void advise(String requirement, boolean isOk, String what) {
        checks.advise(requirement, isOk, what);
    }

    // ---- the agent

    /** Sends the agent a command. */
    public ObjectNode call(String command, ObjectNode arguments) {
        ObjectNode said = Json.object().put("t", wire.nowNs()).put("cmd", command);
        said.setAll(arguments.deepCopy());
        spoken.add(said);
        ObjectNode answer = agent.call(command, arguments);
        ObjectNode heard = Json.object().put("t", wire.nowNs()).put("answer", command);
        heard.setAll(answer.deepCopy());
        spoken.add(heard);
        return answer;
    }

    /** Every command to the agent, every answer and every event, in order. */
    public List<JsonNode> spoken() {
        return List.copyOf(spoken);
    }

    /** Sets something of the implementation, before the endpoint is open. */
    public Trial set(String name, long value) {
        ObjectNode arguments = Json.object();
        arguments.putObject("set").put(name, value);
        call("cfg", arguments);
        return this;
    }

    void guard(App.Region region) {
        guarded.add(region);
    }

    void unguard(App.Region region) {
        guarded.remove(region);
    }

    private void pump() {
        for (JsonNode event : agent.events()) {
            long seq = event.path("seq").asLong(-1);
            if (seq != nextSeq) {
                throw new IllegalStateException("the agent lost events: " + seq + " instead of " + nextSeq);
            }
            nextSeq++;
            events.add(event);
            spoken.add(event);
        }
    }

    // ---- time

    /** Now, in ns. */
    public long nowNs() {
        return wire.nowNs();
    }

    /** Long enough for whatever is due at once: some round trips, or what an operating system takes for them. */
    public long soonNs() {
        return isVirtual() ? 200_000 : 400_000_000;
    }

    /** One round trip and what is needed to react. */
    public long reactNs() {
        return isVirtual() ? 12_000 : 50_000_000;
    }

    /**
     * Whether something came at once. By the virtual clock that is exact; over sockets it means: much sooner than
     * {@link #lazyNs}, which is how long a test tells the implementation that it may wait.
     */
    public boolean isPrompt(long ns) {
        return ns <= (isVirtual() ? reactNs() : 700_000_000);
    }

    /** A delay of acknowledgements long enough to be told from "at once". */
    public long lazyNs() {
        return isVirtual() ? 100_000 : 1_000_000_000;
    }

    /** A round trip without queues. */
    public long rttNs() {
        return isVirtual() ? 10_000 : 2_000_000;
    }

    /** Lets time pass. */
    public void run(long ns) {
        boolean unused = until(() -> false, ns);
    }

    /** Lets so much time pass that whatever is due at once is over. */
    public void settle() {
        run(soonNs());
    }

    /** Lets time pass until something has happened; false when it has not after {@code ns}. */
    public boolean until(BooleanSupplier happened, long ns) {
        long deadline = wire.nowNs() + ns;
        while (!happened.getAsBoolean()) {
            long stop =
                    held.isEmpty() ? deadline : Math.min(deadline, held.get(0).atNs());
            Wire.Arrival arrival = wire.next(isVirtual() ? stop : Math.min(stop, wire.nowNs() + 1_000_000));
            release();
            pump();
            if (arrival != null) {
                arrived(arrival);
                takeWhatWaits();
                pump();
            } else if (wire.nowNs() >= deadline) {
                return happened.getAsBoolean();
            }
        }
        return true;
    }

    /** Over sockets many packets wait at once, and nobody asks after each of them whether something has happened. */
    private void takeWhatWaits() {
        for (int i = 0; i < BATCH && !isVirtual(); i++) {
            Wire.Arrival arrival = wire.next(wire.nowNs());
            if (arrival == null) {
                return;
            }
            arrived(arrival);
        }
    }

    /** The same with a generous time; over sockets so generous that it only ends where nothing moves any more. */
    public boolean until(BooleanSupplier happened) {
        return until(happened, isVirtual() ? 50_000_000 : 30_000_000_000L);
    }

    // ---- packets

    /** A place in the ledger to look from. */
    public int mark() {
        return ledger.size();
    }

    /** What the implementation has sent since. */
    public Traffic since(int mark) {
        return new Traffic(
                codec,
                ledger.subList(mark, ledger.size()).stream()
                        .filter(seen -> seen.fromIut() && seen.decoded() != null)
                        .toList());
    }

    /** What the implementation has sent. */
    public Traffic sent() {
        return new Traffic(codec, List.copyOf(heard));
    }

    /** Everything of the implementation since, unreadable packets too. */
    public List<Seen> rawSince(int mark) {
        return ledger.subList(mark, ledger.size()).stream()
                .filter(Seen::fromIut)
                .toList();
    }

    void send(int plane, int port, int ecn, byte[] bytes, @Nullable Packet packet) {
        wire.send(plane, port, ecn, bytes);
        ledger.add(new Seen(wire.nowNs(), false, plane, port, 0, ecn, bytes, packet, null, false));
        if (packet != null) {
            Peer to = peers.values().stream()
                    .filter(peer -> peer.theirConnId() == packet.int32("dst_conn_id"))
                    .findFirst()
                    .orElse(null);
            Monitors watching = to == null ? null : monitors.get(to);
            if (watching != null) {
                watching.toIut(packet);
            }
        } else {
            monitors.values().forEach(Monitors::rawToIut);
        }
    }

    private void arrived(Wire.Arrival arrival) {
        byte[] bytes = arrival.bytes();
        int dst = bytes.length < 8
                ? 0
                : ((bytes[4] & 0xFF) << 24) | ((bytes[5] & 0xFF) << 16) | ((bytes[6] & 0xFF) << 8) | (bytes[7] & 0xFF);
        Peer peer = peers.get(dst);
        Codec.Decoded decoded = codec.decode(bytes, peer == null ? 0 : peer.seed());
        Seen seen = new Seen(
                arrival.atNs(),
                true,
                arrival.plane(),
                arrival.sourcePort(),
                arrival.dscp(),
                arrival.ecn(),
                bytes,
                decoded.packet(),
                decoded.drop(),
                false);
        boolean isLost = peer != null && decoded.drop() == null && peer.loses(seen);
        Seen noted = isLost
                ? new Seen(
                        seen.atNs(),
                        true,
                        seen.plane(),
                        seen.port(),
                        seen.dscp(),
                        seen.ecn(),
                        bytes,
                        seen.decoded(),
                        null,
                        true)
                : seen;
        ledger.add(noted);
        if (noted.decoded() != null) {
            heard.add(noted);
        }
        Monitors watching = peer == null ? null : monitors.get(peer);
        if (watching != null) {
            watching.fromIut(noted);
        }
        if (peer != null && !isLost && decoded.drop() == null) {
            long delayNs = peer.delayNs(noted);
            if (delayNs > 0) {
                held.add(new Held(wire.nowNs() + delayNs, peer, noted));
            } else {
                peer.arrived(noted);
            }
        }
    }

    private void release() {
        while (!held.isEmpty() && held.get(0).atNs() <= wire.nowNs()) {
            Held first = held.remove(0);
            first.peer().arrived(first.seen());
        }
    }

    int portOf(int path) {
        return FIRST_PORT + path;
    }

    // ---- preambles

    /** Opens the endpoint of the implementation; once. */
    public void open() {
        opening.endpoint();
    }

    /** A peer whose terms may be changed before it is connected. */
    public Peer peer() {
        Peer peer = new Peer(this, codec, FIRST_CONN_ID + peers.size() * 0x0001_0000);
        peers.put(peer.connId(), peer);
        monitors.put(peer, new Monitors(peer, codec, checks, isVirtual()));
        return peer;
    }

    /** The implementation asks for a connection with one stream, and gets it. */
    public Peer connected() {
        return connected(peer(), 1);
    }

    /** The same with a peer whose terms are set, and several streams. */
    public Peer connected(Peer peer, int streams) {
        return connected(peer, Json.object().put("streams", streams));
    }

    /** The same with more that the application asks for. */
    public Peer connected(Peer peer, ObjectNode how) {
        return opening.connected(peer, how);
    }

    /** The implementation asks for a connection; its first request. */
    public Seen requested(Peer peer, ObjectNode how) {
        return opening.requested(peer, how);
    }

    /** The tester asks for a connection, and gets it. */
    public Peer connects(Peer peer) {
        return opening.connects(peer);
    }

    /** The implementation listens. */
    public void listen() {
        opening.listen();
    }

    /** The tester asks for a connection, proves its address if need be, and returns the answer. */
    public Packet asks(Peer peer) {
        return opening.asks(peer);
    }

    /** Sends a handshake packet as it is. */
    public void sendHandshake(Packet packet) {
        send(0, 0, Wire.ECT_0, codec.encode(packet, 0), packet);
    }

    // ---- postamble

    /** After every test: guards are whole. */
    public void postamble() {
        for (App.Region region : guarded) {
            boolean isIntact = call("mr_guard", Json.object().put("mr", region.id()))
                    .get("intact")
                    .asBoolean();
            if (!isIntact) {
                checks.violated("R-SEC-002", "bytes outside region " + region.id() + " were written");
            }
        }
    }
}
