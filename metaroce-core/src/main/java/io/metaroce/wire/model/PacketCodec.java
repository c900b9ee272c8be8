package io.metaroce.wire.model;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.PacketView;
import java.nio.ByteBuffer;

/** Packets to bytes and back: one place to ask for both directions. Confined to one thread. */
public final class PacketCodec {
    private static final Address NOWHERE = Address.ipv4(0, 1);

    private final PacketEncoder encoder = new PacketEncoder();
    private final PacketView view = new PacketView();

    /**
     * The UDP payload of {@code packet}, with a trailer for a receiver that chose {@code seed}.
     *
     * @throws IllegalArgumentException when the packet cannot be written: options without flag X, a list longer than
     *     its count can say
     */
    public byte[] encode(Packet packet, int seed) {
        return encoder.encode(packet, seed);
    }

    /**
     * What the UDP payload {@code bytes} says; its trailer is not checked.
     *
     * @throws IllegalArgumentException when a receiver would drop it, naming the reason
     */
    public Packet decode(byte[] bytes) {
        Datagram datagram = new Datagram().set(ByteBuffer.wrap(bytes), 0, bytes.length, 0, Ecn.UNKNOWN, () -> NOWHERE);
        DropReason fault = view.open(datagram);
        if (fault == null) {
            fault = view.parse();
        }
        if (fault != null) {
            throw new IllegalArgumentException(bytes.length + " bytes are no packet: " + fault.label());
        }
        return decode(view);
    }

    /** What a packet that {@link PacketView#parse} found no fault with says. */
    public static Packet decode(PacketView parsed) {
        return PacketDecoder.decode(parsed);
    }
}
