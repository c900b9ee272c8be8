package io.metaroce.sim;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.TrafficClass;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Writes packets as a capture file that tcpdump and Wireshark read: classic pcap, nanoseconds, Ethernet, IPv4 or IPv6,
 * UDP, all checksums right.
 *
 * <pre>
 *   file   = header packet*
 *   header = magic:32 (0xA1B23C4D) major:16 (2) minor:16 (4) zone:32 accuracy:32 snapLength:32 linkType:32 (1)
 *   packet = seconds:32 nanoseconds:32 captured:32 original:32 ethernet:112 ip udp payload
 * </pre>
 *
 * <p>Captures the whole packet. MAC addresses are made from the last bytes of the IP addresses. The stream is the
 * caller's: {@link #flush} it, close it.
 */
public final class PcapWriter {
    /** DSCP that data packets are shown with. */
    public static final int DATA_DSCP = 26;
    /** DSCP that reports and handshake packets are shown with. */
    public static final int CONTROL_DSCP = 48;

    private static final int MAGIC_NANOSECONDS = 0xA1B23C4D;
    private static final int SNAP_LENGTH = 1 << 18;
    private static final int LINK_ETHERNET = 1;
    private static final int ETHERNET_BYTES = 14;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int UDP_BYTES = 8;
    private static final int RECORD_BYTES = 16;
    private static final int PROTOCOL_UDP = 17;
    private static final int HOP_LIMIT = 64;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final OutputStream out;
    private byte[] record = new byte[2048];
    private ByteBuffer view = ByteBuffer.wrap(record);

    /** Begins a capture: writes the header of the file. */
    public PcapWriter(OutputStream out) {
        this.out = out;
        view.putInt(0, MAGIC_NANOSECONDS);
        view.putShort(4, (short) 2);
        view.putShort(6, (short) 4);
        view.putInt(8, 0);
        view.putInt(12, 0);
        view.putInt(16, SNAP_LENGTH);
        view.putInt(20, LINK_ETHERNET);
        write(24);
    }

    /**
     * What surrounds the UDP payload of a packet.
     *
     * @param timeNs when it was seen, in ns
     * @param source where it comes from
     * @param destination where it goes, of the same family
     * @param trafficClass class it travels in
     * @param ecn codepoint it carries; an unknown one is shown as not ECN-capable
     */
    public record Envelope(long timeNs, Address source, Address destination, TrafficClass trafficClass, Ecn ecn) {}

    /** Adds one packet: {@code length} bytes of UDP payload at index {@code at} of {@code payload}. */
    public void write(Envelope envelope, ByteBuffer payload, int at, int length) {
        boolean isV4 = envelope.destination().family() == Address.IPV4;
        int ipBytes = isV4 ? IPV4_BYTES : IPV6_BYTES;
        int frameBytes = ETHERNET_BYTES + ipBytes + UDP_BYTES + length;
        ensure(RECORD_BYTES + frameBytes);
        view.putInt(0, (int) (envelope.timeNs() / NS_PER_SECOND));
        view.putInt(4, (int) (envelope.timeNs() % NS_PER_SECOND));
        view.putInt(8, frameBytes);
        view.putInt(12, frameBytes);
        int ethernet = RECORD_BYTES;
        mac(ethernet, envelope.destination());
        mac(ethernet + 6, envelope.source());
        view.putShort(ethernet + 12, (short) (isV4 ? 0x0800 : 0x86DD));
        int ip = ethernet + ETHERNET_BYTES;
        int udp = ip + ipBytes;
        if (isV4) {
            ipv4(ip, envelope, UDP_BYTES + length);
        } else {
            ipv6(ip, envelope, UDP_BYTES + length);
        }
        view.putShort(udp, (short) envelope.source().port());
        view.putShort(udp + 2, (short) envelope.destination().port());
        view.putShort(udp + 4, (short) (UDP_BYTES + length));
        view.putShort(udp + 6, (short) 0);
        view.put(udp + UDP_BYTES, payload, at, length);
        int addresses = isV4 ? ip + 12 : ip + 8;
        int checksum = udpChecksum(addresses, udp - addresses, udp, UDP_BYTES + length);
        view.putShort(udp + 6, (short) checksum);
        write(RECORD_BYTES + frameBytes);
    }

    /** Hands what was written to the file system. */
    public void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ipv4(int at, Envelope envelope, int udpBytes) {
        view.put(at, (byte) 0x45);
        view.put(at + 1, (byte) trafficByte(envelope));
        view.putShort(at + 2, (short) (IPV4_BYTES + udpBytes));
        view.putInt(at + 4, 0x0000_4000); // identification 0, do not fragment
        view.put(at + 8, (byte) HOP_LIMIT);
        view.put(at + 9, (byte) PROTOCOL_UDP);
        view.putShort(at + 10, (short) 0);
        view.putInt(at + 12, (int) envelope.source().low());
        view.putInt(at + 16, (int) envelope.destination().low());
        view.putShort(at + 10, (short) ~fold(sum(at, IPV4_BYTES)));
    }

    private void ipv6(int at, Envelope envelope, int udpBytes) {
        view.putInt(at, (6 << 28) | (trafficByte(envelope) << 20));
        view.putShort(at + 4, (short) udpBytes);
        view.put(at + 6, (byte) PROTOCOL_UDP);
        view.put(at + 7, (byte) HOP_LIMIT);
        view.putLong(at + 8, envelope.source().high());
        view.putLong(at + 16, envelope.source().low());
        view.putLong(at + 24, envelope.destination().high());
        view.putLong(at + 32, envelope.destination().low());
    }

    private void mac(int at, Address address) {
        view.putShort(at, (short) 0x0200); // locally administered
        view.putInt(at + 2, (int) address.low());
    }

    private int udpChecksum(int addresses, int addressBytes, int udp, int udpBytes) {
        // The pseudo header: both addresses, the protocol, the length.
        long sum = sum(addresses, addressBytes) + PROTOCOL_UDP + udpBytes + sum(udp, udpBytes);
        int folded = ~fold(sum) & 0xFFFF;
        return folded == 0 ? 0xFFFF : folded;
    }

    private long sum(int at, int bytes) {
        long sum = 0;
        int end = at + bytes;
        for (int i = at; i + 1 < end; i += 2) {
            sum += view.getShort(i) & 0xFFFF;
        }
        return (bytes & 1) == 0 ? sum : sum + ((view.get(end - 1) & 0xFF) << 8);
    }

    private static int fold(long sum) {
        long s = sum;
        while (s >>> 16 != 0) {
            s = (s & 0xFFFF) + (s >>> 16);
        }
        return (int) s;
    }

    private static int trafficByte(Envelope envelope) {
        int dscp = envelope.trafficClass() == TrafficClass.DATA ? DATA_DSCP : CONTROL_DSCP;
        int codepoint = switch (envelope.ecn()) {
            case NOT_ECT, UNKNOWN -> 0;
            case ECT_1 -> 1;
            case ECT_0 -> 2;
            case CE -> 3;
        };
        return (dscp << 2) | codepoint;
    }

    private void ensure(int bytes) {
        if (bytes > record.length) {
            record = new byte[2 * bytes];
            view = ByteBuffer.wrap(record);
        }
    }

    private void write(int bytes) {
        try {
            out.write(record, 0, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
