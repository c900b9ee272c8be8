package io.metaroce.capture;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes packets as a capture file of the newer kind (pcapng): several interfaces, nanoseconds, the direction of each
 * packet, comments. Packets begin with their IP header.
 *
 * <pre>
 *   file      = section interface* packet*
 *   section   = 0x0A0D0D0A:32 length:32 0x1A2B3C4D:32 major:16 (1) minor:16 (0) unknown:64 (-1) option* length:32
 *   interface = 1:32 length:32 linkType:16 (101, IP) reserved:16 snapLength:32 option* length:32
 *   packet    = 6:32 length:32 interface:32 timeHigh:32 timeLow:32 captured:32 original:32 bytes option* length:32
 *   option    = code:16 length:16 value, padded to 32 bits
 * </pre>
 *
 * <p>The stream is the caller's: {@link #flush} it, close it.
 */
public final class PcapngWriter {
    /** Which way a packet went. */
    public enum Direction {
        /** To the endpoint. */
        INBOUND(1),
        /** From the endpoint. */
        OUTBOUND(2);

        private final int flag;

        Direction(int flag) {
            this.flag = flag;
        }
    }

    private static final int SECTION = 0x0A0D0D0A;
    private static final int INTERFACE = 1;
    private static final int PACKET = 6;
    private static final int MAGIC = 0x1A2B3C4D;
    private static final int LINK_IP = 101;
    private static final int SNAP_LENGTH = 1 << 18;
    private static final int OPTION_COMMENT = 1;
    private static final int OPTION_NAME = 2; // of an interface
    private static final int OPTION_FLAGS = 2; // of a packet
    private static final int OPTION_APPLICATION = 4;
    private static final int OPTION_RESOLUTION = 9;
    private static final int NANOSECONDS = 9;
    private static final int PACKET_FIXED_BYTES = 28;

    private final OutputStream out;
    private byte[] block = new byte[2048];
    private ByteBuffer view = ByteBuffer.wrap(block);
    private int at;

    /** Begins a file with one interface for each name. */
    public PcapngWriter(OutputStream out, String comment, List<String> interfaces) {
        this.out = out;
        begin(SECTION);
        putInt(MAGIC);
        putInt(1 << 16);
        putInt(-1);
        putInt(-1);
        text(OPTION_COMMENT, comment);
        text(OPTION_APPLICATION, "metaroce");
        end();
        for (String name : interfaces) {
            begin(INTERFACE);
            putInt(LINK_IP << 16);
            putInt(SNAP_LENGTH);
            text(OPTION_NAME, name);
            putInt((OPTION_RESOLUTION << 16) | 1);
            putInt(NANOSECONDS << 24);
            end();
        }
    }

    /** Adds one packet: {@code length} bytes of UDP payload at index {@code from} of {@code payload}. */
    public void write(
            int networkInterface, Envelope envelope, Direction direction, ByteBuffer payload, int from, int length) {
        int bytes = UdpFrame.bytes(envelope, length);
        ensure(PACKET_FIXED_BYTES + bytes + 32);
        begin(PACKET);
        putInt(networkInterface);
        putInt((int) (envelope.timeNs() >>> 32));
        putInt((int) envelope.timeNs());
        putInt(bytes);
        putInt(bytes);
        view.put(at + UdpFrame.payloadAt(envelope), payload, from, length);
        UdpFrame.write(view, at, envelope, length);
        at += bytes;
        pad();
        putInt((OPTION_FLAGS << 16) | 4);
        putInt(direction.flag);
        end();
    }

    /** Hands what was written to the file system. */
    public void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void begin(int type) {
        at = 0;
        putInt(type);
        putInt(0);
    }

    private void end() {
        putInt(0); // the end of options
        int length = at + 4;
        view.putInt(4, length);
        putInt(length);
        try {
            out.write(block, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void text(int option, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        ensure(at + bytes.length + 32);
        putInt((option << 16) | bytes.length);
        view.put(at, bytes);
        at += bytes.length;
        pad();
    }

    private void pad() {
        while ((at & 3) != 0) {
            view.put(at++, (byte) 0);
        }
    }

    private void putInt(int value) {
        view.putInt(at, value);
        at += 4;
    }

    private void ensure(int bytes) {
        if (bytes > block.length) {
            byte[] longer = new byte[2 * bytes];
            System.arraycopy(block, 0, longer, 0, at);
            block = longer;
            view = ByteBuffer.wrap(block);
        }
    }
}
