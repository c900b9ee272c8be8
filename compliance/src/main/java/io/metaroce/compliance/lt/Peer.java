package io.metaroce.compliance.lt;

import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * One side of one connection, played by the tester. As a receiver it does by itself what the text demands (accept,
 * acknowledge, echo challenges, complete messages) until a test tells it otherwise; as a sender it does nothing by
 * itself.
 */
public final class Peer {
    /** Where the tester's memory begins. */
    public static final long MEMORY = 0x7000_0000_0000L;
    /** Bytes of the tester's memory. */
    public static final int MEMORY_BYTES = 4 << 20;
    /** The key of the tester's memory. */
    public static final int RKEY = 0x0012_3401;
    /** The service. */
    public static final int SERVICE = 7;

    static final int STRIDE = 0x9E3779B1;
    private static final int IN_PATH = 0x80;
    private static final int CHALLENGE = 0x40;
    private static final int PROBE_ANSWER = 0x80;
    private static final long STAMP_NS = 16;

    private final Trial trial;
    private final Codec codec;
    private final int connId;
    private final Terms said;
    private Map<String, Fields> theirTerms = Map.of();
    private int theirConnId;
    private long nonce;
    private boolean isEstablished;
    private int nextAckSeq = 1;
    private final Map<Integer, Inbound> inbound = new TreeMap<>();
    private final Map<Integer, Outbound> outbound = new TreeMap<>();
    private final Responder responder = new Responder(MEMORY, MEMORY_BYTES);
    private final Network network = new Network();
    private boolean acknowledges = true;
    private boolean echoes = true;
    private boolean answersProbes = true;
    private boolean isForging;
    private int deafPath = -1;
    private int hint;
    private int planeUp = 0xFFFF;
    private int reportPlane;
    private long acceptedBytes;

    Peer(Trial trial, Codec codec, int connId) {
        this.trial = trial;
        this.codec = codec;
        this.connId = connId;
        said = new Terms(codec, connId, trial.wire());
        streams(1);
    }

    // ---- terms

    /** Sets what is said in the handshake; before it. */
    public Peer term(String name, Fields value) {
        said.put(name, value);
        return this;
    }

    /** Leaves a parameter out. */
    public Peer without(String name) {
        said.remove(name);
        return this;
    }

    /** Has none of its planes but these. */
    public Peer planes(Integer... numbers) {
        List<Fields> all = said.get("PLANES").list("planes");
        List<Fields> some = new ArrayList<>();
        for (int number : numbers) {
            some.add(all.get(number));
        }
        return term("PLANES", new Fields().put("planes", some));
    }

    /** Opens streams 0, 2, 4 … without receives. */
    public Peer streams(int count) {
        List<Fields> open = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            open.add(new Fields().put("stream_id", 2L * i).put("posted", 0));
        }
        return term("STREAMS_OPEN", new Fields().put("streams_open", open));
    }

    /** What the implementation said of a parameter; empty when it said nothing. */
    public Fields theirs(String name) {
        return theirTerms.getOrDefault(name, new Fields());
    }

    /** What the tester said of a parameter; empty when it said nothing. */
    public Fields termSaid(String name) {
        return said.get(name);
    }

    /** Slots are sent that the tester's own count does not know of. */
    public Peer forging() {
        isForging = true;
        return this;
    }

    boolean isForging() {
        return isForging;
    }

    /** Seed of packets to the tester. */
    public int seed() {
        return said.get("CRC_SEED").int32("crc_seed");
    }

    /** The number the tester receives on. */
    public int connId() {
        return connId;
    }

    /** The number the implementation receives on. */
    public int theirConnId() {
        return theirConnId;
    }

    /** Whether the handshake is over. */
    public boolean isEstablished() {
        return isEstablished;
    }

    /** The nonce of the handshake. */
    public long nonce() {
        return nonce;
    }

    /** First PSN of a path of the implementation. */
    public int firstPsn(int path) {
        return theirs("PSN_SEED").int32("psn_seed") + path * STRIDE;
    }

    /** Paths of the implementation that have carried something. */
    public List<Integer> paths() {
        return inbound.entrySet().stream()
                .filter(each -> each.getValue().isTouched())
                .map(Map.Entry::getKey)
                .toList();
    }

    // ---- handshake

    /** A CONN_REQ with these terms; 1200 bytes at least. */
    public Packet request(long withNonce) {
        nonce = withNonce;
        Packet request = new Packet("CONN_REQ")
                .withFlags(Packet.X)
                .set("tx_stamp", stampNow())
                .set("init_conn_id", connId & 0xFFFF_FFFFL)
                .set("service_id", SERVICE)
                .set("nonce", withNonce)
                .set("versions", 2);
        return said.padded(said.addTo(request));
    }

    /** The same with the cookie of a CONN_RETRY. */
    public Packet request(Packet retry) {
        Packet request = request(nonce);
        Packet unused = codec.addOption(
                request, "COOKIE", new Fields().put("cookie", retry.fields().bytes("cookie")));
        return said.padded(request);
    }

    /** A CONN_ACCEPT of this request. */
    public Packet accept(Packet request) {
        nonce = request.get("nonce");
        return said.addTo(new Packet("CONN_ACCEPT")
                .withFlags(Packet.X)
                .set("dst_conn_id", request.get("init_conn_id"))
                .set("tx_stamp", stampNow())
                .set("nonce", nonce)
                .set("resp_conn_id", connId & 0xFFFF_FFFFL)
                .set("chosen_version", 1));
    }

    /** Notes what the implementation said in its part of the handshake. */
    public void learn(Packet packet, boolean isRequest) {
        theirConnId = packet.int32(isRequest ? "init_conn_id" : "resp_conn_id");
        theirTerms = Terms.of(codec, packet);
    }

    /** From now on the connection stands. */
    public void established() {
        isEstablished = true;
    }

    /** A CONN_CONFIRM. */
    public Packet confirm() {
        return control("CONN_CONFIRM").set("nonce", nonce);
    }

    // ---- packets of the tester

    /** The clock in units of 16 ns. */
    public int stampNow() {
        return (int) (trial.nowNs() / STAMP_NS);
    }

    /** A packet to this connection that is neither slot nor report. */
    public Packet control(String name) {
        return new Packet(name)
                .set("dst_conn_id", theirConnId & 0xFFFF_FFFFL)
                .set("tx_stamp", stampNow() & 0xFFFF_FFFFL);
    }

    /** A report with the next AckSeq. */
    public Packet report(String name) {
        return control(name).set("psn", nextAckSeq++);
    }

    private Outbound own(int path) {
        return outbound.computeIfAbsent(path, number -> {
            int first = termSaid("PSN_SEED").int32("psn_seed") + number * STRIDE;
            return new Outbound(
                    first, trial.portOf(number), number % trial.wire().planes());
        });
    }

    /** The PSN the next slot of a path of the tester takes. */
    public int nextPsn(int path) {
        return own(path).nextPsn();
    }

    /** Leaves PSNs out. */
    public void skip(int path, int slots) {
        own(path).skip(slots);
    }

    /** Gives a request or response the next slot of a path; it is not sent yet. */
    public Packet slot(int path, Packet content) {
        Outbound own = own(path);
        return stamped(path, content.set("psn", own.take() & 0xFFFF_FFFFL));
    }

    /** The same slot once more: R, a new stamp, the present epoch. */
    public Packet again(Packet slot) {
        return stamped((int) slot.get("path_id"), slot.copy().withFlags(Packet.R));
    }

    /** A PROBE of a path of the tester. */
    public Packet probe(int path) {
        return stamped(
                path,
                control("PROBE")
                        .set("probe_flags", IN_PATH)
                        .set("psn", own(path).nextPsn() & 0xFFFF_FFFFL));
    }

    /** A PROBE that tests a route. */
    public Packet challenge(long value) {
        return control("PROBE").set("probe_flags", CHALLENGE).set("challenge", value);
    }

    private Packet stamped(int path, Packet packet) {
        Outbound own = own(path);
        return packet.set("path_id", path)
                .set("path_epoch", own.epoch())
                .set("dst_conn_id", theirConnId & 0xFFFF_FFFFL)
                .set("tx_stamp", own.stamp(stampNow()) & 0xFFFF_FFFFL);
    }

    /** A path of the tester takes another route: epoch + 1 and another source port. */
    public void rebind(int path, int port) {
        own(path).rebind(port);
    }

    /** Sends a packet by the route of its path. */
    public Packet send(Packet packet) {
        boolean onPath = codec.table().isSlot(packet.name()) || packet.is("PROBE");
        Outbound own = onPath ? own((int) packet.get("path_id")) : null;
        int plane = own == null ? reportPlane : own.plane();
        trial.send(plane, own == null ? 0 : own.port(), Wire.ECT_0, codec.encode(packet, theirSeed()), packet);
        return packet;
    }

    /** Sends a packet by another source port. */
    public Packet sendFrom(int port, Packet packet) {
        trial.send(0, port, Wire.ECT_0, codec.encode(packet, theirSeed()), packet);
        return packet;
    }

    /** Sends a packet with congestion experienced. */
    public Packet sendMarked(Packet packet) {
        Outbound own = own((int) packet.get("path_id"));
        trial.send(own.plane(), own.port(), Wire.CE, codec.encode(packet, theirSeed()), packet);
        return packet;
    }

    /** Sends bytes as they are. */
    public void sendRaw(byte[] bytes) {
        trial.send(0, 0, Wire.ECT_0, bytes, null);
    }

    /** The bytes of a packet to the implementation. */
    public byte[] encode(Packet packet) {
        return codec.encode(packet, theirSeed());
    }

    /** Seed of packets to the implementation. */
    public int theirSeed() {
        return theirs("CRC_SEED").int32("crc_seed");
    }

    // ---- what the tester says of what it has received

    /** Packets of the implementation that fit are lost on the way, {@code count} of them. */
    public void lose(int count, Predicate<Seen> which) {
        network.lose(count, which);
    }

    /** Packets that fit arrive so much later than they came, in ns. */
    public void delay(long ns, Predicate<Seen> which) {
        network.delay(ns, which);
    }

    long delayNs(Seen seen) {
        return network.delayNs(seen);
    }

    /** From now on packets that fit count as marked on their way. */
    public Peer marking(Predicate<Seen> which) {
        network.marking(which);
        return this;
    }

    /** ACKs tell of all paths, and those that packets of this path cause are lost on their way back. */
    public Peer deafOn(int path) {
        deafPath = path;
        return this;
    }

    /** How many packets were lost on purpose. */
    public int lost() {
        return network.lost();
    }

    /** From now on nothing is lost any more. */
    public void loseNothing() {
        network.loseNothing();
    }

    /** Whether slots are acknowledged as they come. */
    public Peer acknowledging(boolean value) {
        acknowledges = value;
        return this;
    }

    /** Whether challenges are echoed. */
    public Peer echoing(boolean value) {
        echoes = value;
        return this;
    }

    /** Whether PROBEs in path are answered. */
    public Peer answeringProbes(boolean value) {
        answersProbes = value;
        return this;
    }

    /** The rate hint of the acknowledgements to come. */
    public Peer hint(int code) {
        hint = code;
        return this;
    }

    /** The bits of PlaneUp to come. */
    public Peer planeUp(int bits) {
        planeUp = bits;
        return this;
    }

    /** On which plane reports leave. */
    public Peer reportsOn(int plane) {
        reportPlane = plane;
        return this;
    }

    /** Memory and streams of the tester. */
    public Responder responder() {
        return responder;
    }

    /** Whether the tester has this slot. */
    public boolean has(int path, int psn) {
        return in(path).has(psn);
    }

    /** First slot of a path the tester does not have. */
    public int cum(int path) {
        return in(path).cum();
    }

    /** The path block as it stands. */
    public Fields block(int path) {
        return in(path).block();
    }

    /** Claims so many marks more on a path. */
    public void mark(int path, int packets) {
        in(path).mark(packets);
    }

    /** An acknowledgement with these blocks and the news of all streams. */
    public Packet ack(List<Fields> blocks) {
        Packet ack = report("ACK")
                .set("rate_hint", hint)
                .set("plane_up", planeUp & ((1L << trial.wire().planes()) - 1))
                .set("rx_bytes", acceptedBytes / 64);
        ack.fields().put("path_blocks", blocks);
        ack.fields().put("stream_updates", responder.updates());
        return ack;
    }

    /** The same of these paths, all that were used when none is named. */
    public Packet ack(int... paths) {
        List<Fields> blocks = new ArrayList<>();
        if (paths.length == 0) {
            paths().forEach(path -> blocks.add(block(path)));
        }
        for (int path : paths) {
            blocks.add(block(path));
        }
        return ack(blocks);
    }

    private Inbound in(int path) {
        return inbound.computeIfAbsent(path, number -> new Inbound(number, firstPsn(number)));
    }

    // ---- arrivals

    /** Whether the network that the tester plays loses this packet. */
    boolean loses(Seen seen) {
        return network.loses(seen);
    }

    /** A packet of this connection has arrived. */
    void arrived(Seen seen) {
        Packet packet = seen.packet();
        if (!isEstablished) {
            return;
        }
        if (codec.table().isSlot(packet.name())) {
            Inbound path = in(seen.path());
            path.arrived(
                    seen.stamp(),
                    seen.epoch(),
                    packet.hasFlags(Packet.M) || seen.ecn() == Wire.CE || network.marks(seen));
            if (path.accept(seen.psn())) {
                acceptedBytes += packet.payloadLength();
                responder.take(packet);
            }
            if (acknowledges && deafPath < 0) {
                send(ack(seen.path()));
            } else if (acknowledges && deafPath != seen.path()) {
                send(ack());
            }
        } else if (packet.is("PROBE")) {
            onProbe(seen, packet);
        }
    }

    private void onProbe(Seen seen, Packet packet) {
        if ((packet.get("probe_flags") & IN_PATH) != 0) {
            in(seen.path()).arrived(seen.stamp(), seen.epoch(), false);
            if (answersProbes) {
                send(ack(seen.path()).set("ack_flags", PROBE_ANSWER));
            }
        } else if (echoes) {
            Packet echo = ack(List.<Fields>of()).withFlags(Packet.X).set("ack_flags", PROBE_ANSWER);
            send(codec.addOption(echo, "PROBE_ECHO", new Fields().put("challenge", packet.get("challenge"))));
        }
    }
}
