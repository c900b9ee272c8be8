package io.metaroce.sim;

import io.metaroce.datagram.Ecn;
import io.metaroce.num.FixedPoint;
import io.metaroce.num.SplitMix64;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a cable with the port that feeds it: a FIFO of constant delay behind a drop-tail queue.
 *
 * <p>One event per packet. The queue is never walked: {@code freeAt}, the instant at which the port has sent what it
 * holds, says how long a packet waits, whether it is dropped and whether it is marked. Because arrivals are monotone
 * only the first packet on the link is an event; the others hang behind it in one list. Reordering and late duplicates,
 * which break the FIFO promise on purpose, are the only ones that are sorted into that list.
 *
 * <p>A port with explicit departures ({@link ExactPort}) can take the place of that queue.
 */
public final class Link {
    private static final long PS_PER_SECOND_X8 = 8_000_000_000_000L;
    private static final int HEADER_BYTES = 64;
    private static final long BURST_GAP_PS = 100 * SimTime.US; // silence that ends a burst of losses

    private final World world;
    private final PacketPool packets;
    private final int id;
    private final int leaf;
    private final LinkName name;
    private final String where;
    private final LinkTarget target;
    private final LinkConfig original;
    private final SplitMix64 lossStream;
    private final SplitMix64 gilbertStream;
    private final SplitMix64 markStream;
    private final SplitMix64 corruptStream;
    private final SplitMix64 duplicateStream;
    private final SplitMix64 reorderStream;
    private final LinkCounters counters = new LinkCounters();

    private LinkConfig config;
    private LinkConfig.Faults faults;
    private EcnRamp rampPs; // thresholds as waiting times
    private long limitPs;
    private long psPerByte; // 0 when that is no whole number
    private boolean isPlain; // nothing goes wrong at random
    private int burstStartPpm;
    private boolean isUp = true;
    private int payloadBytesMax = Integer.MAX_VALUE;
    private @Nullable ExactPort exactPort;
    private boolean bleaches;
    private boolean isBad; // as Gilbert and Elliott have it

    private long freeAtPs;
    private long lastDuePs; // of packets that keep their order
    private int burstLeft;
    private long burstEndPs;
    private int head = PacketPool.NONE;
    private int tail = PacketPool.NONE;
    private int onLink;
    private int held = PacketPool.NONE; // waits to be overtaken
    private int heldFor; // by so many packets yet

    Link(World world, int id, LinkName name, LinkConfig config, LinkTarget target) {
        this.world = world;
        this.packets = world.packets();
        this.id = id;
        this.name = name;
        this.where = name.text();
        this.original = config;
        this.target = target;
        this.leaf = world.addLeaf(this, target.turn());
        SeedTree seeds = world.seeds();
        lossStream = seeds.stream("link.loss", id);
        gilbertStream = seeds.stream("link.gilbert", id);
        markStream = seeds.stream("link.mark", id);
        corruptStream = seeds.stream("link.corrupt", id);
        duplicateStream = seeds.stream("link.duplicate", id);
        reorderStream = seeds.stream("link.reorder", id);
        this.config = config;
        this.faults = config.faults();
        this.rampPs = EcnRamp.OFF;
        configure(config);
    }

    /** Its number, in order of building. */
    public int id() {
        return id;
    }

    /** Which cable, plane and direction. */
    public LinkName name() {
        return name;
    }

    /** What it does now. */
    public LinkConfig config() {
        return config;
    }

    /** Whether packets pass. */
    public boolean isUp() {
        return isUp;
    }

    /** What has happened on it. */
    public LinkCounters counters() {
        return counters;
    }

    /** Packets waiting in the port or travelling. */
    public int onLink() {
        return onLink + (exactPort == null ? 0 : exactPort.held());
    }

    /** How long a packet that came now would wait in the port, in ps. */
    public long waitPs(long nowPs) {
        return exactPort == null ? Math.max(0, freeAtPs - nowPs) : exactPort.waitPs(nowPs);
    }

    World world() {
        return world;
    }

    LinkTarget target() {
        return target;
    }

    /** How long the queue may be, in ps. */
    long limitPs() {
        return limitPs;
    }

    /** Puts a port with explicit departures in place of the queue. */
    void exactPort(ExactPort value) {
        exactPort = value;
    }

    /** The port with explicit departures; it must have been put here. */
    ExactPort exactPort() {
        if (exactPort == null) {
            throw new IllegalStateException(where + " has no port with explicit departures; see Fabric.exactPorts");
        }
        return exactPort;
    }

    /** Changes what it does from now on. Packets already on it keep their time of arrival; nothing overtakes them. */
    void configure(LinkConfig value) {
        config = value;
        world.changed(value);
        faults = value.faults();
        isPlain = faults.equals(LinkConfig.Faults.NONE);
        long rate = value.rateBitsPerSecond();
        psPerByte = rate > 0 && PS_PER_SECOND_X8 % rate == 0 ? PS_PER_SECOND_X8 / rate : 0;
        limitPs = value.rateBitsPerSecond() == 0 ? 0 : toPs(value.queueBytesMax());
        EcnRamp ramp = value.ecn();
        boolean isAbsolute = ramp.kminBytes() < 0 || ramp.kminBytes() == Long.MAX_VALUE;
        rampPs = isAbsolute || value.rateBitsPerSecond() == 0
                ? ramp
                : new EcnRamp(toPs(ramp.kminBytes()), toPs(ramp.kmaxBytes()), ramp.pmaxPpm());
        burstStartPpm = burstStartPpm(faults.loss().ppm(), faults.loss().burst());
    }

    /** Takes back every change made since it was built, and brings it up. */
    void heal() {
        configure(original);
        isUp = true;
        bleaches = false;
        payloadBytesMax = Integer.MAX_VALUE;
        isBad = false;
        burstLeft = 0;
    }

    void up() {
        isUp = true;
    }

    /** Cuts it: everything waiting or travelling is lost. */
    void down(long nowPs) {
        isUp = false;
        held = PacketPool.NONE;
        if (exactPort != null) {
            exactPort.flush(nowPs);
        }
        while (head != PacketPool.NONE) {
            drop(nowPs, unlinkHead(), DropCause.DOWN);
        }
        freeAtPs = Math.min(freeAtPs, nowPs);
        lastDuePs = nowPs;
        rekey();
    }

    /** Erases ECN marks from now on, as some equipment does. */
    void bleach() {
        bleaches = true;
    }

    /** Takes no longer UDP payloads from now on; the rest vanishes, as where a tunnel was put in and nobody says so. */
    void narrow(int bytesMax) {
        payloadBytesMax = bytesMax;
    }

    /** What it was built with. */
    LinkConfig original() {
        return original;
    }

    /** Takes a packet whose last bit reaches the port at {@code atPs}, now or later. */
    void enqueue(long atPs, int packet) {
        enqueue(atPs, packet, 0);
    }

    /** The same for a packet that is late by a time, in which all others overtake it. */
    void enqueue(long atPs, int packet, long latePs) {
        counters.offered++;
        if (!isUp) {
            drop(world.nowPs(), packet, DropCause.DOWN);
            return;
        }
        if (packets.length(packet) > payloadBytesMax) {
            drop(world.nowPs(), packet, DropCause.NARROW);
            return;
        }
        if (bleaches) {
            packets.ecn(packet, Ecn.NOT_ECT);
        }
        if (exactPort != null) {
            exactPort.enqueue(atPs, packet);
            return;
        }
        long wait = Math.max(0, freeAtPs - atPs);
        long serialPs = serialPs(packets.wireBytes(packet));
        if (serialPs > 0) {
            if (wait + serialPs > limitPs && wait > 0) {
                drop(world.nowPs(), packet, DropCause.QUEUE);
                return;
            }
            counters.waitMaxPs = Math.max(counters.waitMaxPs, wait);
            freeAtPs = Math.max(atPs, freeAtPs) + serialPs;
        }
        markBy(packet, wait);
        long duePs = (serialPs > 0 ? freeAtPs : atPs) + config.delayPs();
        put(packet, duePs, latePs);
    }

    /** A packet has left its port with explicit departures. */
    void launch(long nowPs, int packet) {
        put(packet, nowPs + config.delayPs(), 0);
    }

    /** Marks a packet, perhaps, that met a queue of so many ps. */
    void markBy(int packet, long waitPs) {
        if (waitPs > rampPs.kminBytes()) {
            mark(packet, waitPs);
        }
    }

    /** The first packet has reached the end. */
    void onHead(long nowPs) {
        int packet = unlinkHead();
        if (packet == held) {
            held = PacketPool.NONE; // nobody came to overtake it
        }
        rekey();
        counters.delivered++;
        target.onArrival(nowPs, this, packet);
    }

    private void mark(int packet, long waitPs) {
        Ecn now = packets.ecn(packet);
        if ((now == Ecn.ECT_0 || now == Ecn.ECT_1) && rampPs.marks(waitPs, (int) (markStream.nextLong() >>> 32))) {
            packets.ecn(packet, Ecn.CE);
            counters.marked++;
        }
    }

    private void put(int packet, long duePs, long latePs) {
        if (isPlain && latePs == 0 && burstLeft == 0 && held == PacketPool.NONE) {
            lastDuePs = Math.max(lastDuePs, duePs);
            insert(packet, lastDuePs);
            if (packet == head) {
                world.rekey(leaf, lastDuePs);
            }
        } else {
            travel(packet, duePs, latePs);
            rekey();
        }
    }

    private void travel(int packet, long duePs, long latePs) {
        if (isLost(duePs) || isLostByState()) {
            drop(world.nowPs(), packet, DropCause.LOSS);
            return;
        }
        corrupt(packet);
        int copy = Chance.hits(duplicateStream, faults.duplicates().ppm()) ? packets.takeCopy(packet) : PacketPool.NONE;
        if (latePs > 0) {
            insert(packet, duePs + latePs);
        } else if (held == PacketPool.NONE
                && Chance.hits(reorderStream, faults.reordering().ppm())) {
            delay(packet, duePs);
        } else {
            lastDuePs = Math.max(lastDuePs, duePs);
            insert(packet, lastDuePs);
            overtakeHeld();
        }
        if (copy != PacketPool.NONE) {
            counters.duplicated++;
            world.copied();
            insert(
                    copy,
                    Math.max(duePs, lastDuePs)
                            + below(duplicateStream, faults.duplicates().delayPs()));
        }
    }

    private boolean isLost(long duePs) {
        boolean isInBurst = burstLeft > 0 && duePs <= burstEndPs;
        if (isInBurst) {
            burstLeft--;
        } else if (Chance.hits(lossStream, burstStartPpm)) {
            burstLeft = faults.loss().burst() - 1;
        } else {
            return false;
        }
        burstEndPs = duePs + BURST_GAP_PS;
        return true;
    }

    private boolean isLostByState() {
        LinkConfig.Gilbert gilbert = faults.gilbert();
        isBad = isBad
                ? !Chance.hits(gilbertStream, gilbert.toGoodPpm())
                : Chance.hits(gilbertStream, gilbert.toBadPpm());
        return isBad && Chance.hits(gilbertStream, gilbert.lossPpm());
    }

    private void corrupt(int packet) {
        if (Chance.hits(corruptStream, faults.truncatePpm())) {
            packets.truncate(packet, (int) below(corruptStream, packets.length(packet) - 1L));
            counters.corrupted++;
        }
        int headerBytes = Math.min(packets.length(packet), HEADER_BYTES);
        int restBytes = packets.length(packet) - headerBytes;
        if (Chance.hits(corruptStream, faults.corruption().headerPpm())) {
            packets.flipBit(packet, (int) below(corruptStream, 8L * headerBytes - 1));
            counters.corrupted++;
        }
        if (restBytes > 0 && Chance.hits(corruptStream, faults.corruption().payloadPpm())) {
            packets.flipBit(packet, 8 * headerBytes + (int) below(corruptStream, 8L * restBytes - 1));
            counters.corrupted++;
        }
    }

    // A packet that is to be overtaken by n others waits in the list at its latest time and moves up when they passed.
    private void delay(int packet, long duePs) {
        counters.reordered++;
        if (faults.reordering().packets() > 0) {
            held = packet;
            heldFor = faults.reordering().packets();
            insert(packet, duePs + faults.reordering().delayPs());
        } else {
            insert(packet, duePs + 1 + below(reorderStream, faults.reordering().delayPs()));
        }
    }

    private void overtakeHeld() {
        if (held == PacketPool.NONE || --heldFor > 0) {
            return;
        }
        int packet = held;
        held = PacketPool.NONE;
        if (packets.duePs(packet) > lastDuePs) {
            unlink(packet);
            insert(packet, lastDuePs);
        }
    }

    private void insert(int packet, long duePs) {
        packets.duePs(packet, duePs);
        onLink++;
        if (head == PacketPool.NONE) {
            packets.next(packet, PacketPool.NONE);
            head = packet;
            tail = packet;
        } else if (duePs >= packets.duePs(tail)) {
            packets.next(packet, PacketPool.NONE);
            packets.next(tail, packet);
            tail = packet;
        } else {
            insertBeforeLater(packet, duePs);
        }
    }

    private void insertBeforeLater(int packet, long duePs) {
        int before = PacketPool.NONE;
        int at = head;
        while (packets.duePs(at) <= duePs) {
            before = at;
            at = packets.next(at);
        }
        packets.next(packet, at);
        if (before == PacketPool.NONE) {
            head = packet;
        } else {
            packets.next(before, packet);
        }
    }

    private int unlinkHead() {
        int packet = head;
        head = packets.next(packet);
        if (head == PacketPool.NONE) {
            tail = PacketPool.NONE;
        }
        onLink--;
        return packet;
    }

    private void unlink(int packet) {
        if (packet == head) {
            unlinkHead();
            return;
        }
        int before = head;
        while (packets.next(before) != packet) {
            before = packets.next(before);
        }
        packets.next(before, packets.next(packet));
        if (packet == tail) {
            tail = before;
        }
        onLink--;
    }

    void drop(long nowPs, int packet, DropCause cause) {
        counters.countDrop(cause);
        world.dropped(nowPs, id, where, packet, cause);
    }

    private void rekey() {
        world.rekey(leaf, head == PacketPool.NONE ? SimTime.NEVER : packets.duePs(head));
    }

    /** How long it takes to send so many bytes, in ps. */
    long serialPs(long wireBytes) {
        if (psPerByte > 0) {
            return wireBytes * psPerByte;
        }
        long rate = config.rateBitsPerSecond();
        return rate == 0 ? 0 : wireBytes * PS_PER_SECOND_X8 / rate;
    }

    private long toPs(long bytes) {
        return FixedPoint.mulDiv(bytes, PS_PER_SECOND_X8, config.rateBitsPerSecond());
    }

    // In runs of b losses the share p is reached when a run begins with p / (b - (b - 1) p) per packet.
    private static int burstStartPpm(int lossPpm, int burst) {
        long denominator = (long) burst * Chance.PPM - (burst - 1L) * lossPpm;
        return (int) ((long) lossPpm * Chance.PPM / denominator);
    }

    private static long below(SplitMix64 stream, long maxInclusive) {
        if (maxInclusive <= 0) {
            return 0;
        }
        return Math.floorMod(stream.nextLong(), maxInclusive + 1);
    }
}
