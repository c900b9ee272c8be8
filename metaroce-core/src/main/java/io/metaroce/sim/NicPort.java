package io.metaroce.sim;

import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.Route;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.SplitMix64;
import io.metaroce.sim.FaultPlan.Fate;
import io.metaroce.wire.BaseHeader;
import org.jspecify.annotations.Nullable;

/**
 * One port of a NIC: the serialiser of one plane. It holds at most the packet it is sending, so whoever sends is pulled
 * and no hidden queue exists in which congestion could hide. Reports and handshake packets are the exception: they are
 * small, are sent without asking for room, and wait their turn; {@link #waitedPackets} counts them.
 */
public final class NicPort implements Pausable {
    private static final long PS_PER_SECOND_X8 = 8_000_000_000_000L;
    private static final long WAIT_MAX_PS = SimTime.MS;
    private static final int ENTROPIES = 1024;

    private final World world;
    private final Attachment owner;
    private final int plane;
    private final NicConfig config;
    private final long salt;
    private final BaseHeader base = new BaseHeader();
    private final boolean isPhantom; // payload is not carried
    private final long[] blackholes = new long[ENTROPIES / 64];
    private boolean serviceBlackholed;
    private Link[] links = {};
    private long rateBitsPerSecond;
    private long psPerByte; // 0 when that is no whole number
    private long freeAtPs;
    private boolean holds;
    private long packetsSent;
    private long waitedPackets;
    private long bytesSent;

    NicPort(World world, Attachment owner, int plane, NicConfig config) {
        this.world = world;
        this.owner = owner;
        this.plane = plane;
        this.config = config;
        SplitMix64 stream = world.seeds().stream("nic.salt", ((long) plane << 32) + owner.node());
        salt = stream.nextLong();
        isPhantom = world.payload() == WorldConfig.Payload.PHANTOM;
        rate(config.rateBitsPerSecond());
    }

    /** Sends at another rate from the next packet on. */
    void rate(long bitsPerSecond) {
        rateBitsPerSecond = bitsPerSecond;
        psPerByte = PS_PER_SECOND_X8 % bitsPerSecond == 0 ? PS_PER_SECOND_X8 / bitsPerSecond : 0;
    }

    /** The rate at which it sends. */
    public long rateBitsPerSecond() {
        return rateBitsPerSecond;
    }

    /** The equal-cost links it feeds; one of them is picked by the source port. */
    void feeds(Link[] value) {
        links = value;
    }

    /** Its plane. */
    public int plane() {
        return plane;
    }

    /** The links it feeds, in their order of building. */
    public Link link(int index) {
        return links[index];
    }

    /** How many links it feeds. */
    public int links() {
        return links.length;
    }

    /** Packets sent. */
    public long packetsSent() {
        return packetsSent;
    }

    /** Reports and handshake packets that were sent while the port was busy. */
    public long waitedPackets() {
        return waitedPackets;
    }

    /** Bytes sent, on-wire sizes. */
    public long bytesSent() {
        return bytesSent;
    }

    /** Whether it takes a packet now. */
    public boolean hasRoom(long nowPs) {
        return freeAtPs <= nowPs && !holds;
    }

    /** When it will have sent what it holds; {@link SimTime#NEVER} while it is paused, the node is woken after that. */
    public long freeAtPs() {
        return holds ? SimTime.NEVER : freeAtPs;
    }

    @Override
    public void pause(long nowPs, boolean value) {
        holds = value;
        owner.rekey();
    }

    @Override
    public int turn() {
        return owner.turn();
    }

    /** Copies a packet of the engine and sends it. For data the port must have room. */
    public void send(long nowPs, Transmit transmit) {
        PacketPool packets = world.packets();
        Route route = transmit.route();
        int packet;
        if (isPhantom
                && HeaderTrailer.isBehindHeaders(base.wrap(transmit.header(), 0).opcode())) {
            packet = packets.take(transmit.headerLength() + Transmit.TRAILER_BYTES, transmit.length());
            transmit.copyAroundTo(packets.bytes(packet), packets.offset(packet));
        } else {
            packet = packets.take(transmit.length());
            transmit.copyTo(packets.bytes(packet), packets.offset(packet));
        }
        packets.ecn(packet, Ecn.ECT_0);
        packets.trafficClass(packet, transmit.trafficClass());
        int from = route.entropy() == Route.SERVICE
                ? Addressing.SERVICE_PORT
                : Addressing.FIRST_SOURCE_PORT + route.entropy();
        int to = Addressing.plane(route.remote()) == plane ? Addressing.node(route.remote()) : -1;
        packets.address(packet, owner.node(), from, to, route.remote().port());
        send(nowPs, packet);
    }

    /** Sends a packet of the pool whose bytes and addresses are set. For data the port must have room. */
    public void send(long nowPs, int packet) {
        boolean isControl = world.packets().trafficClass(packet) == TrafficClass.CONTROL;
        if (!hasRoom(nowPs) && (!isControl || freeAtPs - nowPs > WAIT_MAX_PS)) {
            throw new IllegalStateException("a packet was sent on plane " + plane + " of " + owner.name() + " at "
                    + nowPs + " ps, but the port is busy until " + freeAtPs + " ps");
        }
        PacketPool packets = world.packets();
        packets.plane(packet, plane);
        int wireBytes = packets.wireBytes(packet);
        waitedPackets += hasRoom(nowPs) ? 0 : 1;
        freeAtPs = Math.max(nowPs, freeAtPs) + serialPs(wireBytes);
        packetsSent++;
        bytesSent += wireBytes;
        world.sent(owner.node(), packet);
        Fate fate = world.fate();
        if (owner.isMasked(packet) || (fate != null && fate.kind() == Fate.Deed.DROP)) {
            world.dropped(nowPs, owner.dropId(), owner.name(), packet, DropCause.MASK);
        } else if (isBlackholed(packets.sourcePort(packet))) {
            world.dropped(nowPs, owner.dropId(), owner.name(), packet, DropCause.BLACKHOLE);
        } else if (links.length == 0) {
            world.dropped(nowPs, owner.dropId(), owner.name(), packet, DropCause.NO_ROUTE);
        } else {
            enqueue(fate, packet);
        }
    }

    private void enqueue(@Nullable Fate fate, int packet) {
        long atPs = freeAtPs + config.txLatencyPs();
        Link link = pick(packet);
        if (fate == null) {
            link.enqueue(atPs, packet);
            return;
        }
        boolean isTwice = fate.kind() == Fate.Deed.TWICE;
        int copy = isTwice ? world.packets().takeCopy(packet) : PacketPool.NONE;
        link.enqueue(atPs, packet, isTwice ? 0 : fate.delayPs());
        if (isTwice) {
            world.copied();
            link.enqueue(atPs, copy, fate.delayPs());
        }
    }

    /** From now on packets from this source port vanish. */
    void blackhole(int entropy) {
        if (entropy == Route.SERVICE) {
            serviceBlackholed = true;
        } else {
            blackholes[entropy >>> 6] |= 1L << entropy;
        }
    }

    /** Lets every source port out again. */
    void heal() {
        serviceBlackholed = false;
        for (int i = 0; i < blackholes.length; i++) {
            blackholes[i] = 0;
        }
    }

    private long serialPs(int wireBytes) {
        return psPerByte > 0 ? wireBytes * psPerByte : wireBytes * PS_PER_SECOND_X8 / rateBitsPerSecond;
    }

    private Link pick(int packet) {
        return links.length == 1
                ? links[0]
                : links[EcmpHash.pick(EcmpHash.of(world.packets(), packet, salt), links.length)];
    }

    private boolean isBlackholed(int sourcePort) {
        int entropy = sourcePort - Addressing.FIRST_SOURCE_PORT;
        if (sourcePort == Addressing.SERVICE_PORT) {
            return serviceBlackholed;
        }
        return entropy >= 0 && entropy < ENTROPIES && (blackholes[entropy >>> 6] & (1L << entropy)) != 0;
    }
}
