package io.metaroce.bench.micro;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.TransportEvents;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Crc32cTrailer;
import io.metaroce.wire.Opcode;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Two engines coupled in memory, one sending to the other without end. Each half of the way can be run alone:
 * {@link #send}, {@link #deliver}, {@link #report}, {@link #deliverReports}. Time moves only when it is told to.
 */
public final class Loop {
    /** Packets under way in one direction at most. */
    public static final int PACKETS_MAX = 512;

    private static final int BULK_PACKETS = 256; // of each message
    private static final int SERVICE = 5;
    private static final long ACK_DELAY_NS = 250_000; // a little more than the longest an acknowledgement waits
    private static final long LINE_BYTES_PER_SECOND = 100_000_000_000L;
    private static final long PACKET_NS = 50;
    private static final long HANDSHAKE_STEP_NS = 20_000;
    private static final int HANDSHAKE_STEPS = 1000;
    private static final Address SENDER = Address.ipv4(0x7F000001, 1001);
    private static final Address RECEIVER = Address.ipv4(0x7F000002, 1002);

    private final LoopSide sender;
    private final LoopSide receiver;
    private final Tray forth;
    private final Tray back;
    private final BaseHeader base = new BaseHeader();
    private final WrOpcode opcode;
    private final int messageBytes;
    private final int messages;
    private long nowNs = 1_000_000;
    private long posted;
    private long completed;
    private long receives;
    private int lossEvery; // 0: nothing is lost
    private int cutPath = -1;
    private int sinceLoss;

    /**
     * Two engines with a connection between them.
     *
     * @param config settings of both
     * @param opcode what is posted: a write, or a send into receives that are posted again at once
     * @param messageBytes length of each message
     * @param depth messages outstanding, each with memory of its own
     */
    public Loop(EndpointConfig config, WrOpcode opcode, int messageBytes, int depth) {
        this(config, opcode, messageBytes, depth, 1, packet -> {});
    }

    /**
     * The same with another seed, and with somebody who watches how the connection is made.
     *
     * @param seed of all randomness of both
     * @param witness sees every packet of the handshake
     */
    public Loop(
            EndpointConfig config,
            WrOpcode opcode,
            int messageBytes,
            int depth,
            long seed,
            Consumer<Datagram> witness) {
        this(config, opcode, messageBytes, depth, seed, witness, null, TransportEvents.NONE);
    }

    private Loop(
            EndpointConfig config,
            WrOpcode opcode,
            int messageBytes,
            int depth,
            long seed,
            Consumer<Datagram> witness,
            @Nullable HeadTrailer unread,
            TransportEvents events) {
        EndpointConfig fast = config.withRate(config.rate().withLineRate(LINE_BYTES_PER_SECOND, LINE_BYTES_PER_SECOND));
        this.opcode = opcode;
        this.messageBytes = messageBytes;
        this.messages = depth;
        forth = new Tray(PACKETS_MAX, config.connection().payloadBytes(), SENDER, unread);
        back = new Tray(PACKETS_MAX, 0, RECEIVER);
        Crc32cTrailer crc = new Crc32cTrailer();
        int bytes = messageBytes * depth;
        sender = new LoopSide(
                fast, SENDER, new SplitMix64(2 * seed), depth, bytes, unread == null ? crc : unread, events);
        receiver = new LoopSide(fast, RECEIVER, new SplitMix64(2 * seed + 1), depth, bytes, crc, events);
        connect(witness);
    }

    /** What sockets use, 4 KiB a packet, 16 writes of 1 MiB outstanding: the usual bulk traffic. */
    public static Loop bulk() {
        return new Loop(Profiles.udp(), WrOpcode.RDMA_WRITE, 1 << 20, 16);
    }

    /** The same with other packets, as many to a message: what does not grow with them is the cost of the engine. */
    public static Loop bulk(int payloadBytes) {
        EndpointConfig config = Profiles.udp();
        return new Loop(
                config.withConnection(config.connection().withPayloadBytes(payloadBytes)),
                WrOpcode.RDMA_WRITE,
                BULK_PACKETS * payloadBytes,
                16);
    }

    /** The same with a sender that names payload and does not read it; its packets are completed on the way. */
    public static Loop bulkUnread() {
        return new Loop(
                Profiles.udp(),
                WrOpcode.RDMA_WRITE,
                1 << 20,
                16,
                1,
                packet -> {},
                new HeadTrailer(),
                TransportEvents.NONE);
    }

    /** The usual bulk traffic, before somebody who sees every packet of the handshake. */
    public static Loop bulk(Consumer<Datagram> witness) {
        return new Loop(Profiles.udp(), WrOpcode.RDMA_WRITE, 1 << 20, 16, 1, witness);
    }

    /** The usual bulk traffic, of which {@code events} hears on both sides. */
    public static Loop bulk(TransportEvents events) {
        return new Loop(Profiles.udp(), WrOpcode.RDMA_WRITE, 1 << 20, 16, 1, packet -> {}, null, events);
    }

    /** One packet of {@code every} that the sender sends is lost from now on; 0: none. */
    public Loop loseEvery(int every) {
        lossEvery = every;
        return this;
    }

    /** Everything that takes the first route of path {@code path} is lost from now on. */
    public Loop cut(int path) {
        cutPath = path;
        return this;
    }

    /** The engine that sends. */
    public LoopSide sender() {
        return sender;
    }

    /** The engine that receives. */
    public LoopSide receiver() {
        return receiver;
    }

    /** Packets from sender to receiver. */
    public Tray forth() {
        return forth;
    }

    /** Packets from receiver to sender. */
    public Tray back() {
        return back;
    }

    /** The present instant, in ns. */
    public long nowNs() {
        return nowNs;
    }

    /** Messages completed at the sender. */
    public long completed() {
        return completed;
    }

    /** Lets time pass and both sides do what is due. */
    public void pass(long ns) {
        nowNs += ns;
        sender.tick(nowNs);
        receiver.tick(nowNs);
    }

    /** Takes completions and posts nothing. */
    public void collect() {
        completed += sender.drain();
    }

    /** Takes completions and posts requests, and receives for them, until the queues are full again. */
    public void refill() {
        receiver.drain();
        while (needsReceives() && receiver.postReceive(receives % messages * messageBytes, messageBytes)) {
            receives++;
        }
        receiver.tick(nowNs);
        completed += sender.drain();
        while (posted - completed < messages
                && sender.post(opcode, receiver, posted % messages * messageBytes, messageBytes)) {
            posted++;
        }
        sender.tick(nowNs);
    }

    /** Lets the sender send {@code packets} packets, less when it may not; returns how many. */
    public int send(int packets) {
        int n = 0;
        while (n < packets && forth.hasRoom() && sender.poll(nowNs, forth)) {
            nowNs += PACKET_NS;
            n++;
        }
        return n;
    }

    /** Feeds what was sent to the receiver. */
    public void deliver() {
        if (lossEvery == 0 && cutPath < 0) {
            receiver.feed(nowNs, forth, 0, forth.count());
        } else {
            feedWithLoss();
        }
        forth.clear();
    }

    /** Lets the receiver send its reports; returns how many. */
    public int report() {
        int n = 0;
        while (back.hasRoom() && receiver.poll(nowNs, back)) {
            n++;
        }
        return n;
    }

    /** Feeds the reports to the sender. */
    public void deliverReports() {
        sender.feed(nowNs, back, 0, back.count());
        back.clear();
    }

    /**
     * The whole way for at most {@code packets} packets, until every one is acknowledged; returns how many were sent.
     */
    public int round(int packets) {
        refill();
        int n = send(packets);
        settle();
        return n;
    }

    /**
     * Delivers all that is under way, and lets the acknowledgement delay pass so that the last packets are
     * acknowledged.
     */
    public void settle() {
        forth.assemble();
        deliver();
        acknowledge();
        pass(ACK_DELAY_NS);
        acknowledge();
    }

    private void acknowledge() {
        report();
        back.assemble();
        deliverReports();
    }

    private void feedWithLoss() {
        for (int i = 0; i < forth.count(); i++) {
            base.wrap(forth.memory(), forth.offset(i));
            boolean cut = base.pathId() == cutPath && base.pathEpoch() == 0 && !Opcode.isReport(base.opcode());
            sinceLoss = sinceLoss == lossEvery ? 1 : sinceLoss + 1;
            if (!cut && sinceLoss != lossEvery) {
                receiver.feed(nowNs, forth, i, i + 1);
            }
        }
    }

    private boolean needsReceives() {
        return opcode != WrOpcode.RDMA_WRITE;
    }

    private void connect(Consumer<Datagram> witness) {
        receiver.listen(SERVICE);
        sender.connect(nowNs, receiver, RECEIVER, SERVICE);
        for (int i = 0; i < HANDSHAKE_STEPS && !(sender.isEstablished() && receiver.isEstablished()); i++) {
            send(PACKETS_MAX);
            forth.assemble();
            forth.forEach(witness);
            deliver();
            report();
            back.assemble();
            back.forEach(witness);
            deliverReports();
            pass(HANDSHAKE_STEP_NS);
        }
        if (!sender.isEstablished() || !receiver.isEstablished()) {
            throw new IllegalStateException(
                    "no connection: sender '" + sender.closed() + "', receiver '" + receiver.closed() + "'");
        }
    }
}
