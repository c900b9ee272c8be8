package io.metaroce.sim;

import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.TrafficClass;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Every packet of a world: parallel arrays behind int handles, real bytes in slabs.
 *
 * <p>The bound is stated once and never grows: a pool that runs out stops the run. Slabs are allocated as their packets
 * are first used, so a generous bound costs nothing.
 */
public final class PacketPool {
    /** No packet. */
    public static final int NONE = -1;
    /**
     * Bytes on the wire beyond the UDP payload: UDP 8, IPv4 20, Ethernet 38 with preamble and gap. The same constant as
     * in the protocol's cost of a packet.
     */
    public static final int OVERHEAD_BYTES = 66;

    private static final int CHUNK_SHIFT = 8;
    private static final int CHUNK_MASK = (1 << CHUNK_SHIFT) - 1;
    private static final int CORRUPTED = 1;
    private static final int COPY = 2;

    private final int capacity;
    private final int slotBytes;
    private final @Nullable ByteBuffer[] chunks;
    private final int[] free;
    private int freeCount;
    private int inUseMax;

    private final int[] length;
    private final int[] source;
    private final int[] destination;
    private final int[] sourcePort;
    private final int[] destinationPort;
    private final byte[] plane;
    private final byte[] flags;
    private final Ecn[] ecn;
    private final TrafficClass[] trafficClass;
    private final long[] sentPs;
    final long[] duePs; // when it reaches the end of the link it is on
    final int[] next; // the packet behind it on that link

    PacketPool(int capacity, int packetBytesMax) {
        this.capacity = capacity;
        this.slotBytes = (packetBytesMax + 63) & -64;
        chunks = new ByteBuffer[(capacity + CHUNK_MASK) >>> CHUNK_SHIFT];
        free = new int[capacity];
        for (int i = 0; i < capacity; i++) {
            free[i] = capacity - 1 - i;
        }
        freeCount = capacity;
        length = new int[capacity];
        source = new int[capacity];
        destination = new int[capacity];
        sourcePort = new int[capacity];
        destinationPort = new int[capacity];
        plane = new byte[capacity];
        flags = new byte[capacity];
        ecn = new Ecn[capacity];
        trafficClass = new TrafficClass[capacity];
        sentPs = new long[capacity];
        duePs = new long[capacity];
        next = new int[capacity];
    }

    /**
     * Takes a packet of {@code bytes} bytes of UDP payload.
     *
     * @throws SimLimitException when every packet is in use, or the packet is too long
     */
    public int take(int bytes) {
        if (bytes > slotBytes) {
            throw new SimLimitException("a packet of " + bytes + " bytes does not fit into " + slotBytes
                    + "; change WorldConfig.packetBytesMax");
        }
        if (freeCount == 0) {
            throw new SimLimitException(
                    "all " + capacity + " packets are in use; change WorldConfig.packets, or look for a leak");
        }
        int packet = free[--freeCount];
        inUseMax = Math.max(inUseMax, capacity - freeCount);
        int chunk = packet >>> CHUNK_SHIFT;
        if (chunks[chunk] == null) {
            int packets = Math.min(capacity - (chunk << CHUNK_SHIFT), CHUNK_MASK + 1);
            chunks[chunk] = ByteBuffer.allocateDirect(packets * slotBytes);
        }
        length[packet] = bytes;
        flags[packet] = 0;
        ecn[packet] = Ecn.NOT_ECT;
        trafficClass[packet] = TrafficClass.DATA;
        next[packet] = NONE;
        return packet;
    }

    /** Takes a second packet equal to {@code original}. */
    int takeCopy(int original) {
        int copy = take(length[original]);
        bytes(copy).put(offset(copy), bytes(original), offset(original), length[original]);
        address(copy, source[original], sourcePort[original], destination[original], destinationPort[original]);
        plane(copy, plane[original]);
        ecn[copy] = ecn[original];
        trafficClass[copy] = trafficClass[original];
        sentPs[copy] = sentPs[original];
        flags[copy] = (byte) (flags[original] | COPY);
        return copy;
    }

    /** Gives a packet back. */
    public void release(int packet) {
        if (freeCount == capacity) {
            throw new IllegalStateException("packet " + packet + " was given back twice");
        }
        free[freeCount++] = packet;
    }

    /** Packets in use now. */
    public int inUse() {
        return capacity - freeCount;
    }

    /** Most packets that were ever in use at once. */
    public int inUseMax() {
        return inUseMax;
    }

    /** The slab that holds the bytes of a packet; big-endian, absolute access. */
    public ByteBuffer bytes(int packet) {
        ByteBuffer chunk = chunks[packet >>> CHUNK_SHIFT];
        if (chunk == null) {
            throw new IllegalStateException("packet " + packet + " was never taken");
        }
        return chunk;
    }

    /** Index of the first byte of the UDP payload in {@link #bytes}. */
    public int offset(int packet) {
        return (packet & CHUNK_MASK) * slotBytes;
    }

    /** Length of the UDP payload in bytes. */
    public int length(int packet) {
        return length[packet];
    }

    /** Bytes the packet takes on a wire, preamble and gap included. */
    public int wireBytes(int packet) {
        return length[packet] + OVERHEAD_BYTES;
    }

    /** Says who sends it, from which UDP port, to whom. */
    public void address(int packet, int sourceNode, int fromPort, int destinationNode, int toPort) {
        source[packet] = sourceNode;
        sourcePort[packet] = fromPort;
        destination[packet] = destinationNode;
        destinationPort[packet] = toPort;
    }

    /** Node that sent it. */
    public int source(int packet) {
        return source[packet];
    }

    /** UDP port it was sent from. */
    public int sourcePort(int packet) {
        return sourcePort[packet];
    }

    /** Node it is for; -1 when no node has the address it was sent to. */
    public int destination(int packet) {
        return destination[packet];
    }

    /** UDP port it is for. */
    public int destinationPort(int packet) {
        return destinationPort[packet];
    }

    /** Plane it travels on. */
    public int plane(int packet) {
        return plane[packet];
    }

    /** Sets {@link #plane(int)}. */
    public void plane(int packet, int value) {
        plane[packet] = (byte) value;
    }

    /** ECN codepoint it carries now. */
    public Ecn ecn(int packet) {
        return ecn[packet];
    }

    /** Sets {@link #ecn(int)}. */
    public void ecn(int packet, Ecn value) {
        ecn[packet] = value;
    }

    /** Class it was sent in. */
    public TrafficClass trafficClass(int packet) {
        return trafficClass[packet];
    }

    /** Sets {@link #trafficClass(int)}. */
    public void trafficClass(int packet, TrafficClass value) {
        trafficClass[packet] = value;
    }

    /** When its sender handed it to the NIC. */
    public long sentPs(int packet) {
        return sentPs[packet];
    }

    /** Sets {@link #sentPs(int)}. */
    public void sentPs(int packet, long timePs) {
        sentPs[packet] = timePs;
    }

    /** Whether the fabric changed bytes of it. */
    public boolean isCorrupted(int packet) {
        return (flags[packet] & CORRUPTED) != 0;
    }

    /** Whether the fabric made it as a copy of another one. */
    public boolean isCopy(int packet) {
        return (flags[packet] & COPY) != 0;
    }

    /** Cuts a packet short. */
    void truncate(int packet, int bytes) {
        length[packet] = bytes;
        flags[packet] |= CORRUPTED;
    }

    /** Flips one bit, counted from the first bit of the UDP payload. */
    void flipBit(int packet, int bit) {
        int at = offset(packet) + (bit >>> 3);
        ByteBuffer bytes = bytes(packet);
        bytes.put(at, (byte) (bytes.get(at) ^ (1 << (bit & 7))));
        flags[packet] |= CORRUPTED;
    }
}
