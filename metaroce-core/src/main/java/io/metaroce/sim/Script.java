package io.metaroce.sim;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.Route;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.datagram.Transmit;
import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.Driver;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.TransmitPort;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Reception;
import io.metaroce.queue.CommandQueue;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;
import io.metaroce.wire.model.Packet;
import io.metaroce.wire.model.PacketCodec;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A test as a script: one real endpoint, a clock set by hand, and every packet the endpoint gets or sends in plain
 * sight.
 *
 * <pre>{@code
 * Script script = new Script(Profiles.model(), 1);
 * ScriptPeer peer = script.connect(app);
 * app.post(1, SEND, new Range(0, 4 * 4096), NOWHERE);
 * script.go().expect(peer.data(0, 0), peer.data(1, 0), peer.data(2, 0), peer.data(3, 0));
 * script.at(30_000).deliver(peer.ack(peer.block(1).cum(1).bits("011").echo(3)));
 * script.expect(peer.data(1, 1).resent()).expectNothing();
 * }</pre>
 *
 * <p>"Nothing was sent" is an assertion: {@link #expectNothing}. Faults are AssertionErrors that list what was sent.
 */
public final class Script {
    /** Where the endpoint under test receives on plane 0; plane k adds k to the second byte. */
    public static final int ENDPOINT_NODE = 0;
    /** Where the scripted peer receives. */
    public static final int PEER_NODE = 1;
    /** The service that scripts connect to. */
    public static final int SERVICE = 7;

    private static final int DEADLINES_MAX = 1 << 16;
    private static final int PACKETS_AT_ONCE_MAX = 1 << 14;
    private static final int EVERY_PLANE = 0xFFFF;

    private final int planes;
    private final Counters counters = new Counters();
    private final CommandQueue<Endpoint> commands = new CommandQueue<>();
    private final DoorbellQueue doorbells = new DoorbellQueue(1 << 12);
    private final Endpoint endpoint;
    private final Driver driver;
    private final PacketCodec codec = new PacketCodec();
    private final ArrayDeque<Sent> unseen = new ArrayDeque<>();
    private final List<Sent> history = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final List<PacketKind> ignored = new ArrayList<>();
    private int planesWithRoom = EVERY_PLANE;
    private long nowNs;

    /**
     * A packet the endpoint has sent.
     *
     * @param atNs when
     * @param route where it left and where it goes
     * @param trafficClass class it left in
     * @param bytes its UDP payload
     * @param packet what it says
     */
    public record Sent(long atNs, Route route, TrafficClass trafficClass, ByteBuffer bytes, Packet packet) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%d ns plane %d entropy %d %s",
                    atNs,
                    route.plane(),
                    route.entropy(),
                    new TraceLine().of(bytes, 0, bytes.capacity()));
        }
    }

    /** What a sent packet must be like. */
    public interface Expected {
        /** Whether it is like that. */
        boolean fits(Sent sent);

        /** What was expected, in words. */
        String text();
    }

    /** A script with one endpoint on one plane. */
    public Script(EndpointConfig config, long seed) {
        this(config, seed, 1);
    }

    /** A script with one endpoint on several planes. */
    public Script(EndpointConfig config, long seed, int planes) {
        this(config, seed, planes, Reception.USUAL);
    }

    /** The same with an endpoint that reads several queues, or is one of several at its address. */
    public Script(EndpointConfig config, long seed, int planes, Reception reception) {
        this.planes = planes;
        List<Address> addresses = new ArrayList<>();
        for (int plane = 0; plane < planes; plane++) {
            addresses.add(Addressing.of(plane, ENDPOINT_NODE));
        }
        endpoint = new Endpoint(
                config,
                addresses,
                new SplitMix64(seed),
                counters,
                TransportEvents.NONE,
                commands,
                doorbells,
                reception);
        driver = new Driver(endpoint, new Port());
    }

    // ---- the endpoint and its application

    /** The endpoint under test. Whoever commands it directly calls {@link #go} afterwards. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** Its counters. */
    public Counters counters() {
        return counters;
    }

    /** Its doorbells, for more work queues. */
    public DoorbellQueue doorbells() {
        return doorbells;
    }

    /** An application with one queue pair on a stream. */
    public App app(int streamId, int memoryBytes, int depth) {
        return new App(endpoint.regions(), doorbells, streamId, memoryBytes, depth);
    }

    /** The endpoint asks the peer for a connection and gets it; the clock moves by one round trip of 10 us. */
    public ScriptPeer connect(App... apps) {
        return connect(new ScriptPeer(this, planes), apps);
    }

    /** The same with a peer that was given other parameters before. */
    public ScriptPeer connect(ScriptPeer peer, App... apps) {
        return peer.isAskedFor(apps);
    }

    /** A peer that may be given parameters before it is connected. */
    public ScriptPeer peer() {
        return new ScriptPeer(this, planes);
    }

    /** A listener that writes down what it hears; see {@link #events}. */
    public ConnectionListener listener() {
        return new ConnectionListener() {
            @Override
            public void established(long atNs, int connectionId, byte[] privateData) {
                events.add("established");
            }

            @Override
            public void closed(long atNs, int connectionId, CloseReason reason, String detail, byte[] privateData) {
                events.add("closed " + reason);
            }

            @Override
            public void streamFailed(long atNs, int connectionId, int streamId, String detail) {
                events.add("stream " + streamId + " failed");
            }
        };
    }

    /** What the listener heard. */
    public List<String> events() {
        return events;
    }

    // ---- time and packets

    /** Now, in ns. */
    public long nowNs() {
        return nowNs;
    }

    /** Lets the clock run to {@code ns}; the endpoint does on the way what is due. */
    public Script at(long ns) {
        if (ns < nowNs) {
            throw new IllegalArgumentException("time does not run backwards: it is " + nowNs + " ns, not " + ns);
        }
        int deadlines = 0;
        long due = driver.quiesce(nowNs);
        while (due <= ns) {
            nowNs = Math.max(due, nowNs);
            long next = driver.quiesce(nowNs);
            due = next <= nowNs ? nowNs + 1 : next;
            if (++deadlines > DEADLINES_MAX) {
                throw new AssertionError("the endpoint had " + deadlines + " deadlines up to " + nowNs + " ns");
            }
        }
        nowNs = ns;
        return go();
    }

    /** Lets {@code ns} nanoseconds pass. */
    public Script after(long ns) {
        return at(nowNs + ns);
    }

    /** Lets the endpoint look at its doorbells and send what it may. */
    public Script go() {
        driver.quiesce(nowNs);
        return this;
    }

    /** Every receive queue of the endpoint has been emptied. */
    public Script passEnd() {
        driver.passEnd();
        return go();
    }

    /** Says which planes take packets from now on, one bit each. */
    public Script room(int mask) {
        planesWithRoom = mask;
        return go();
    }

    /** The endpoint gets a packet on plane 0, unmarked. */
    public Script deliver(Packet packet, int seed) {
        return deliver(codec.encode(packet, seed), 0, Ecn.ECT_0);
    }

    /** The endpoint gets a packet of a peer on plane 0, unmarked. */
    public Script deliver(ScriptPeer.Crafted packet) {
        return deliver(codec.encode(packet.packet(), packet.seed()), packet.plane(), packet.ecn());
    }

    /** The endpoint gets any bytes. */
    public Script deliver(byte[] bytes, int plane, Ecn ecn) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length);
        buffer.put(0, bytes);
        Address source = Addressing.of(plane, PEER_NODE);
        driver.feed(nowNs, new Datagram().set(buffer, 0, bytes.length, plane, ecn, () -> source));
        return go();
    }

    // ---- what must have been sent

    /** The next packets sent are these, in this order. */
    public Script expect(Expected... wanted) {
        for (Expected one : wanted) {
            Sent sent = unseen.peekFirst();
            if (sent == null || !one.fits(sent)) {
                throw new AssertionError(
                        "expected " + one.text() + ", but next is " + (sent == null ? "nothing" : sent) + listing());
            }
            unseen.removeFirst();
        }
        return this;
    }

    /** These packets are among those sent, in any order and between others; they are taken out. */
    public Script expectAmong(Expected... wanted) {
        for (Expected one : wanted) {
            take(one);
        }
        return this;
    }

    /** Nothing more was sent, apart from what is ignored. */
    public Script expectNothing() {
        if (!unseen.isEmpty()) {
            throw new AssertionError("expected nothing more" + listing());
        }
        return this;
    }

    /** Takes the first packet sent that is like this. */
    public Sent take(Expected wanted) {
        for (Sent sent : unseen) {
            if (wanted.fits(sent)) {
                unseen.remove(sent);
                return sent;
            }
        }
        throw new AssertionError("expected " + wanted.text() + " among what was sent" + listing());
    }

    /** Forgets what was sent so far. */
    public Script forget() {
        unseen.clear();
        return this;
    }

    /** Packets of this kind are no longer expected nor missed. */
    public Script ignore(PacketKind kind) {
        ignored.add(kind);
        unseen.removeIf(sent -> kind.includes(sent.packet().opcode()));
        return this;
    }

    /** Everything sent since the start, in order. */
    public List<Sent> history() {
        return List.copyOf(history);
    }

    /** A packet of a kind. */
    public static Expected any(PacketKind kind) {
        return new Expected() {
            @Override
            public boolean fits(Sent sent) {
                return kind.includes(sent.packet().opcode());
            }

            @Override
            public String text() {
                return "a packet of kind " + kind.word();
            }
        };
    }

    private String listing() {
        StringBuilder out = new StringBuilder("; at ").append(nowNs).append(" ns these packets are unseen:");
        for (Sent sent : unseen) {
            out.append("\n  ").append(sent);
        }
        return out.toString();
    }

    private void onSent(Transmit transmit) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(transmit.length());
        transmit.copyTo(bytes, 0);
        byte[] copy = new byte[bytes.capacity()];
        bytes.get(0, copy);
        Sent sent = new Sent(nowNs, transmit.route(), transmit.trafficClass(), bytes, codec.decode(copy));
        history.add(sent);
        int early = history.size() - PACKETS_AT_ONCE_MAX;
        if (early >= 0 && history.get(early).atNs() == nowNs) {
            throw new AssertionError("the endpoint sent " + PACKETS_AT_ONCE_MAX + " packets at " + nowNs + " ns");
        }
        for (PacketKind kind : ignored) {
            if (kind.includes(sent.packet().opcode())) {
                return;
            }
        }
        unseen.addLast(sent);
    }

    /** A port that takes everything, as long as the script says so. */
    private final class Port implements TransmitPort {
        @Override
        public int planesWithRoom() {
            return planesWithRoom;
        }

        @Override
        public void send(Transmit packet) {
            onSent(packet);
        }

        @Override
        public void flush() {}
    }
}
