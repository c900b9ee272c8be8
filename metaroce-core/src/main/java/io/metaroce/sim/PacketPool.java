package io.metaroce.sim;

import io.metaroce.datagram.AddressSource;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.TrafficClass;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Every packet of a world: records of eight words behind int handles, real bytes in slabs.
 *
 * <p>The bound is stated once and never grows: a pool that runs out stops the run. Slabs are allocated as their packets
 * are first used, so a generous bound costs nothing. Each packet has a small slot for its bytes, so that packets that
 * are headers alone lie side by side; one with more bytes takes a large slot besides.
 */
public final class PacketPool {
    /** No packet. */
    public static final int NONE = -1;
    /**
     * Bytes on the wire beyond the UDP payload: UDP 8, IPv4 20, Ethernet 38 with preamble and gap. The same constant as
     * in the protocol's cost of a packet.
     */
    public static final int OVERHEAD_BYTES = 66;

    private static final int SMALL_BYTES = 128;
    private static final int LENGTH_MAX = 0xFFFF;
    private static final Ecn[] ECNS = Ecn.values();
    private static final TrafficClass[] CLASSES = TrafficClass.values();

    // Words of a record: 64 bytes, so that what a hop reads and writes lies side by side.
    private static final int WORDS_SHIFT = 3;
    private static final int DUE = 0; // when it reaches the end of the link it is on; in a port, the link it came over
    private static final int NEXT = 1; // the packet behind it on that link
    private static final int SIZE = 2; // large slot:32 length:16 held:16
    private static final int NODES = 3; // source:32 destination:32
    private static final int PORTS = 4; // source port:32 destination port:32
    private static final int TUPLE = 5; // hash of addresses and ports, before any salt
    private static final int STATE = 6; // plane:8 class:8 ecn:8 flags:8
    private static final int SENT = 7; // when its sender handed it to the NIC

    private static final int LENGTH_SHIFT = 16;
    private static final int ECN_SHIFT = 8;
    private static final int CLASS_SHIFT = 16;
    private static final int PLANE_SHIFT = 24;
    private static final long BYTE = 0xFF;
    private static final long CORRUPTED = 1;
    private static final long COPY = 2;

    private final int capacity;
    private final Slots small;
    private final Slots large;
    private final int[] free;
    private int freeCount;
    private final int[] freeLarge;
    private int freeLargeCount;
    private final long[] words;

    PacketPool(int capacity, int packetBytesMax) {
        this.capacity = capacity;
        small = new Slots(capacity, SMALL_BYTES);
        large = new Slots(capacity, (packetBytesMax + 63) & -64);
        free = new int[capacity];
        for (int i = 0; i < capacity; i++) {
            free[i] = capacity - 1 - i;
        }
        freeLarge = free.clone();
        freeCount = capacity;
        freeLargeCount = capacity;
        words = new long[capacity << WORDS_SHIFT];
    }

    /**
     * Takes a packet of {@code bytes} bytes of UDP payload, all of them real.
     *
     * @throws SimLimitException when every packet is in use, or the packet is too long
     */
    public int take(int bytes) {
        return take(bytes, bytes);
    }

    /**
     * Takes a packet of {@code bytes} bytes of UDP payload of which only the first {@code heldBytes} are real; the rest
     * takes time on the wire and nothing else.
     *
     * @throws SimLimitException when every packet is in use, or the packet is too long
     */
    public int take(int heldBytes, int bytes) {
        if (heldBytes > large.bytes || bytes > LENGTH_MAX) {
            throw new SimLimitException("a packet of " + bytes + " bytes, " + heldBytes + " of them real, does not fit"
                    + " into " + large.bytes + "; change WorldConfig.packetBytesMax");
        }
        if (freeCount == 0) {
            throw new SimLimitException(
                    "all " + capacity + " packets are in use; change WorldConfig.packets, or look for a leak");
        }
        int packet = free[--freeCount];
        int slot = NONE;
        if (heldBytes > SMALL_BYTES) {
            slot = freeLarge[--freeLargeCount];
            large.use(slot);
        } else {
            small.use(packet);
        }
        int at = packet << WORDS_SHIFT;
        words[at + NEXT] = NONE;
        words[at + SIZE] = ((long) slot << Integer.SIZE) | ((long) bytes << LENGTH_SHIFT) | heldBytes;
        words[at + STATE] = 0; // NOT_ECT, DATA
        return packet;
    }

    /** Takes a second packet equal to {@code original}. */
    int takeCopy(int original) {
        int held = heldBytes(original);
        int copy = take(held, length(original));
        bytes(copy).put(offset(copy), bytes(original), offset(original), held);
        int from = original << WORDS_SHIFT;
        int to = copy << WORDS_SHIFT;
        words[to + NODES] = words[from + NODES];
        words[to + PORTS] = words[from + PORTS];
        words[to + TUPLE] = words[from + TUPLE];
        words[to + SENT] = words[from + SENT];
        words[to + STATE] = words[from + STATE] | COPY;
        return copy;
    }

    /** Gives a packet back. */
    public void release(int packet) {
        if (freeCount == capacity) {
            throw new IllegalStateException("packet " + packet + " was given back twice");
        }
        int slot = largeSlot(packet);
        if (slot != NONE) {
            freeLarge[freeLargeCount++] = slot;
        }
        free[freeCount++] = packet;
    }

    /** Packets in use now. */
    public int inUse() {
        return capacity - freeCount;
    }

    /** The slab that holds the bytes of a packet; big-endian, absolute access. */
    public ByteBuffer bytes(int packet) {
        int slot = largeSlot(packet);
        return slot == NONE ? small.chunk(packet) : large.chunk(slot);
    }

    /**
     * Sets {@code datagram} to a packet as its receiver gets it.
     *
     * @param source is asked where it came from
     */
    public void show(int packet, Datagram datagram, AddressSource source) {
        datagram.set(bytes(packet), offset(packet), length(packet), plane(packet), ecn(packet), source);
    }

    /** Index of the first byte of the UDP payload in {@link #bytes}. */
    public int offset(int packet) {
        int slot = largeSlot(packet);
        return slot == NONE ? small.offset(packet) : large.offset(slot);
    }

    /** Length of the UDP payload in bytes. */
    public int length(int packet) {
        return (int) (word(packet, SIZE) >>> LENGTH_SHIFT) & LENGTH_MAX;
    }

    /** How many of its first bytes are real. */
    public int heldBytes(int packet) {
        return (int) word(packet, SIZE) & LENGTH_MAX;
    }

    private int largeSlot(int packet) {
        return (int) (word(packet, SIZE) >> Integer.SIZE);
    }

    /** Bytes the packet takes on a wire, preamble and gap included. */
    public int wireBytes(int packet) {
        return length(packet) + OVERHEAD_BYTES;
    }

    /** Says who sends it, from which UDP port, to whom. */
    public void address(int packet, int sourceNode, int fromPort, int destinationNode, int toPort) {
        int at = packet << WORDS_SHIFT;
        long nodes = ((long) sourceNode << Integer.SIZE) | (destinationNode & 0xFFFF_FFFFL);
        words[at + NODES] = nodes;
        words[at + PORTS] = ((long) fromPort << Integer.SIZE) | toPort;
        words[at + TUPLE] = EcmpHash.tuple(nodes, ((long) fromPort << 16) | toPort);
    }

    /** Node that sent it. */
    public int source(int packet) {
        return (int) (word(packet, NODES) >>> Integer.SIZE);
    }

    /** UDP port it was sent from. */
    public int sourcePort(int packet) {
        return (int) (word(packet, PORTS) >>> Integer.SIZE);
    }

    /** Node it is for; -1 when no node has the address it was sent to. */
    public int destination(int packet) {
        return (int) word(packet, NODES);
    }

    /** UDP port it is for. */
    public int destinationPort(int packet) {
        return (int) word(packet, PORTS);
    }

    /** Hash of its five-tuple, before the salt of any switch. */
    long tuple(int packet) {
        return word(packet, TUPLE);
    }

    /** Plane it travels on. */
    public int plane(int packet) {
        return (int) (word(packet, STATE) >>> PLANE_SHIFT);
    }

    /** Sets {@link #plane(int)}. */
    public void plane(int packet, int value) {
        state(packet, PLANE_SHIFT, value);
    }

    /** ECN codepoint it carries now. */
    public Ecn ecn(int packet) {
        return ECNS[(int) ((word(packet, STATE) >>> ECN_SHIFT) & BYTE)];
    }

    /** Sets {@link #ecn(int)}. */
    @SuppressWarnings("EnumOrdinal") // a byte of the state word
    public void ecn(int packet, Ecn value) {
        state(packet, ECN_SHIFT, value.ordinal());
    }

    /** Class it was sent in. */
    public TrafficClass trafficClass(int packet) {
        return CLASSES[(int) ((word(packet, STATE) >>> CLASS_SHIFT) & BYTE)];
    }

    /** Sets {@link #trafficClass(int)}. */
    @SuppressWarnings("EnumOrdinal") // a byte of the state word
    public void trafficClass(int packet, TrafficClass value) {
        state(packet, CLASS_SHIFT, value.ordinal());
    }

    /** When its sender handed it to the NIC. */
    public long sentPs(int packet) {
        return word(packet, SENT);
    }

    /** Sets {@link #sentPs(int)}. */
    public void sentPs(int packet, long timePs) {
        words[(packet << WORDS_SHIFT) + SENT] = timePs;
    }

    /** When it reaches the end of the link it is on. */
    long duePs(int packet) {
        return word(packet, DUE);
    }

    void duePs(int packet, long timePs) {
        words[(packet << WORDS_SHIFT) + DUE] = timePs;
    }

    /** The number of the link it came over, while it waits in a port with explicit departures. */
    int ingress(int packet) {
        return (int) word(packet, DUE);
    }

    void ingress(int packet, int link) {
        words[(packet << WORDS_SHIFT) + DUE] = link;
    }

    /** The packet behind it in whatever list it is in. */
    int next(int packet) {
        return (int) word(packet, NEXT);
    }

    void next(int packet, int follower) {
        words[(packet << WORDS_SHIFT) + NEXT] = follower;
    }

    /** Whether the fabric changed bytes of it. */
    public boolean isCorrupted(int packet) {
        return (word(packet, STATE) & CORRUPTED) != 0;
    }

    /** Whether the fabric made it as a copy of another one. */
    public boolean isCopy(int packet) {
        return (word(packet, STATE) & COPY) != 0;
    }

    /** Cuts a packet short. */
    void truncate(int packet, int bytes) {
        int at = packet << WORDS_SHIFT;
        words[at + SIZE] = ((long) largeSlot(packet) << Integer.SIZE)
                | ((long) bytes << LENGTH_SHIFT)
                | Math.min(bytes, heldBytes(packet));
        words[at + STATE] |= CORRUPTED;
    }

    /** Flips one bit, counted from the first bit of the UDP payload; of bytes that are not real it is only noted. */
    void flipBit(int packet, int bit) {
        if ((bit >>> 3) < heldBytes(packet)) {
            int at = offset(packet) + (bit >>> 3);
            ByteBuffer bytes = bytes(packet);
            bytes.put(at, (byte) (bytes.get(at) ^ (1 << (bit & 7))));
        }
        words[(packet << WORDS_SHIFT) + STATE] |= CORRUPTED;
    }

    private long word(int packet, int index) {
        return words[(packet << WORDS_SHIFT) + index];
    }

    private void state(int packet, int shift, int value) {
        int at = (packet << WORDS_SHIFT) + STATE;
        words[at] = (words[at] & ~(BYTE << shift)) | ((long) value << shift);
    }

    /** Equal slots for real bytes, in chunks that are allocated when they are first used. */
    private static final class Slots {
        private static final int CHUNK_SHIFT = 8;
        private static final int CHUNK_MASK = (1 << CHUNK_SHIFT) - 1;

        private final int bytes;
        private final int count;
        private final @Nullable ByteBuffer[] chunks;

        Slots(int count, int bytes) {
            this.count = count;
            this.bytes = bytes;
            chunks = new ByteBuffer[(count + CHUNK_MASK) >>> CHUNK_SHIFT];
        }

        void use(int slot) {
            int chunk = slot >>> CHUNK_SHIFT;
            if (chunks[chunk] == null) {
                int slots = Math.min(count - (chunk << CHUNK_SHIFT), CHUNK_MASK + 1);
                chunks[chunk] = ByteBuffer.allocateDirect(slots * bytes);
            }
        }

        ByteBuffer chunk(int slot) {
            ByteBuffer chunk = chunks[slot >>> CHUNK_SHIFT];
            if (chunk == null) {
                throw new IllegalStateException("slot " + slot + " was never taken");
            }
            return chunk;
        }

        int offset(int slot) {
            return (slot & CHUNK_MASK) * bytes;
        }
    }
}
