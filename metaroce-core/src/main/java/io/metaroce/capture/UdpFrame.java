package io.metaroce.capture;

import java.nio.ByteBuffer;

/** Writes an IPv4 or IPv6 packet with a UDP datagram in it, all checksums right. */
public final class UdpFrame {
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int UDP_BYTES = 8;
    private static final int PROTOCOL_UDP = 17;
    private static final int HOP_LIMIT = 64;

    private UdpFrame() {}

    /** Length of the whole packet in bytes for so much UDP payload. */
    public static int bytes(Envelope envelope, int payloadBytes) {
        return (envelope.isV4() ? IPV4_BYTES : IPV6_BYTES) + UDP_BYTES + payloadBytes;
    }

    /** Where the UDP payload begins, counted from the beginning of the packet. */
    public static int payloadAt(Envelope envelope) {
        return bytes(envelope, 0);
    }

    /**
     * Writes the headers at index {@code ip} of a big-endian buffer that holds the payload of {@code length} bytes
     * already, at {@code ip + payloadAt(envelope)}.
     */
    public static void write(ByteBuffer out, int ip, Envelope envelope, int length) {
        int udp = ip + payloadAt(envelope) - UDP_BYTES;
        if (envelope.isV4()) {
            ipv4(out, ip, envelope, UDP_BYTES + length);
        } else {
            ipv6(out, ip, envelope, UDP_BYTES + length);
        }
        out.putShort(udp, (short) envelope.source().port());
        out.putShort(udp + 2, (short) envelope.destination().port());
        out.putShort(udp + 4, (short) (UDP_BYTES + length));
        out.putShort(udp + 6, (short) 0);
        int addresses = envelope.isV4() ? ip + 12 : ip + 8;
        out.putShort(udp + 6, (short) udpChecksum(out, addresses, udp, UDP_BYTES + length));
    }

    private static void ipv4(ByteBuffer out, int at, Envelope envelope, int udpBytes) {
        out.put(at, (byte) 0x45);
        out.put(at + 1, (byte) envelope.trafficByte());
        out.putShort(at + 2, (short) (IPV4_BYTES + udpBytes));
        out.putInt(at + 4, 0x0000_4000); // identification 0, do not fragment
        out.put(at + 8, (byte) HOP_LIMIT);
        out.put(at + 9, (byte) PROTOCOL_UDP);
        out.putShort(at + 10, (short) 0);
        out.putInt(at + 12, (int) envelope.source().low());
        out.putInt(at + 16, (int) envelope.destination().low());
        out.putShort(at + 10, (short) ~fold(sum(out, at, IPV4_BYTES)));
    }

    private static void ipv6(ByteBuffer out, int at, Envelope envelope, int udpBytes) {
        out.putInt(at, (6 << 28) | (envelope.trafficByte() << 20));
        out.putShort(at + 4, (short) udpBytes);
        out.put(at + 6, (byte) PROTOCOL_UDP);
        out.put(at + 7, (byte) HOP_LIMIT);
        out.putLong(at + 8, envelope.source().high());
        out.putLong(at + 16, envelope.source().low());
        out.putLong(at + 24, envelope.destination().high());
        out.putLong(at + 32, envelope.destination().low());
    }

    private static int udpChecksum(ByteBuffer out, int addresses, int udp, int udpBytes) {
        // The pseudo header: both addresses, the protocol, the length.
        long sum = sum(out, addresses, udp - addresses) + PROTOCOL_UDP + udpBytes + sum(out, udp, udpBytes);
        int folded = ~fold(sum) & 0xFFFF;
        return folded == 0 ? 0xFFFF : folded;
    }

    private static long sum(ByteBuffer out, int at, int bytes) {
        long sum = 0;
        int end = at + bytes;
        for (int i = at; i + 1 < end; i += 2) {
            sum += out.getShort(i) & 0xFFFF;
        }
        return (bytes & 1) == 0 ? sum : sum + ((out.get(end - 1) & 0xFF) << 8);
    }

    private static int fold(long sum) {
        long s = sum;
        while (s >>> 16 != 0) {
            s = (s & 0xFFFF) + (s >>> 16);
        }
        return (int) s;
    }
}
