package io.metaroce.sim;

import io.metaroce.capture.Envelope;
import io.metaroce.capture.UdpFrame;
import io.metaroce.datagram.Address;
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
    private static final int MAGIC_NANOSECONDS = 0xA1B23C4D;
    private static final int SNAP_LENGTH = 1 << 18;
    private static final int LINK_ETHERNET = 1;
    private static final int ETHERNET_BYTES = 14;
    private static final int RECORD_BYTES = 16;
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

    /** Adds one packet: {@code length} bytes of UDP payload at index {@code at} of {@code payload}. */
    public void write(Envelope envelope, ByteBuffer payload, int at, int length) {
        int frameBytes = ETHERNET_BYTES + UdpFrame.bytes(envelope, length);
        ensure(RECORD_BYTES + frameBytes);
        view.putInt(0, (int) (envelope.timeNs() / NS_PER_SECOND));
        view.putInt(4, (int) (envelope.timeNs() % NS_PER_SECOND));
        view.putInt(8, frameBytes);
        view.putInt(12, frameBytes);
        int ethernet = RECORD_BYTES;
        mac(ethernet, envelope.destination());
        mac(ethernet + 6, envelope.source());
        boolean isV4 = envelope.destination().family() == Address.IPV4;
        view.putShort(ethernet + 12, (short) (isV4 ? 0x0800 : 0x86DD));
        int ip = ethernet + ETHERNET_BYTES;
        view.put(ip + UdpFrame.payloadAt(envelope), payload, at, length);
        UdpFrame.write(view, ip, envelope, length);
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

    private void mac(int at, Address address) {
        view.putShort(at, (short) 0x0200); // locally administered
        view.putInt(at + 2, (int) address.low());
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
