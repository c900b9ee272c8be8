package io.metaroce.sim.roce;

import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.sim.PacketPool;

/**
 * The real bytes of a packet of these models: {@code queuePair:32 psn:32 sack:32 round:16 kind:8 flags:8}. The number
 * is that of the side it goes to.
 */
final class RocePacket {
    static final int PAYLOAD_BYTES = 4096;
    /** A full packet on the wire: Ethernet 38, IPv4 20, UDP 8, BTH 12, ICRC 4 and the payload. */
    static final int WIRE_BYTES_MAX = PAYLOAD_BYTES + 82;

    static final int DATA = 0;
    static final int ACK = 1; // everything below psn has come
    static final int NAK = 2; // psn is missing; sack has come, for selective repeat
    static final int CNP = 3;

    private static final int HELD_BYTES = 16;
    private static final int BTH_BYTES = 16; // with ICRC
    private static final int RETH_BYTES = 16;
    private static final int ACK_BYTES = 20;
    private static final int CNP_BYTES = 32;
    private static final int LAST = 1;

    private RocePacket() {}

    static int data(
            PacketPool packets, int queuePair, int psn, int round, int payload, boolean isFirst, boolean isLast) {
        int packet = packets.take(HELD_BYTES, payload + BTH_BYTES + (isFirst ? RETH_BYTES : 0));
        write(packets, packet, queuePair, psn, 0, round, DATA, isLast ? LAST : 0);
        packets.ecn(packet, Ecn.ECT_0);
        return packet;
    }

    static int control(PacketPool packets, int kind, int queuePair, int psn, int sack) {
        int packet = packets.take(HELD_BYTES, kind == CNP ? CNP_BYTES : ACK_BYTES);
        write(packets, packet, queuePair, psn, sack, 0, kind, 0);
        packets.trafficClass(packet, TrafficClass.CONTROL);
        return packet;
    }

    static int queuePair(PacketPool packets, int packet) {
        return packets.bytes(packet).getInt(packets.offset(packet));
    }

    static int psn(PacketPool packets, int packet) {
        return packets.bytes(packet).getInt(packets.offset(packet) + 4);
    }

    static int sack(PacketPool packets, int packet) {
        return packets.bytes(packet).getInt(packets.offset(packet) + 8);
    }

    static int round(PacketPool packets, int packet) {
        return packets.bytes(packet).getShort(packets.offset(packet) + 12) & 0xFFFF;
    }

    static int kind(PacketPool packets, int packet) {
        return packets.bytes(packet).get(packets.offset(packet) + 14);
    }

    static boolean isLast(PacketPool packets, int packet) {
        return (packets.bytes(packet).get(packets.offset(packet) + 15) & LAST) != 0;
    }

    private static void write(
            PacketPool packets, int packet, int queuePair, int psn, int sack, int round, int kind, int flags) {
        int at = packets.offset(packet);
        packets.bytes(packet)
                .putInt(at, queuePair)
                .putInt(at + 4, psn)
                .putInt(at + 8, sack)
                .putShort(at + 12, (short) round)
                .put(at + 14, (byte) kind)
                .put(at + 15, (byte) flags);
    }
}
