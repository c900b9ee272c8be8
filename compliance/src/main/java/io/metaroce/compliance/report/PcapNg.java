package io.metaroce.compliance.report;

import io.metaroce.compliance.lt.Seen;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Packets of a test as pcapng: raw IPv4 with headers made up, nanoseconds, a comment on what was lost on purpose. */
final class PcapNg {
    private static final int RAW_IP = 101;
    private static final int SERVICE = 49_741;
    private static final int TESTER = 49_900;

    private PcapNg() {}

    static byte[] of(List<Seen> packets) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        block(
                out,
                0x0A0D0D0A,
                le(16).putInt(0x1A2B3C4D)
                        .putShort((short) 1)
                        .putShort((short) 0)
                        .putLong(-1));
        // if_tsresol: 10^-9
        block(
                out,
                1,
                le(20).putShort((short) RAW_IP)
                        .putShort((short) 0)
                        .putInt(0)
                        .putShort((short) 9)
                        .putShort((short) 1)
                        .putInt(9)
                        .putInt(0));
        for (Seen seen : packets) {
            packet(out, seen);
        }
        return out.toByteArray();
    }

    private static void packet(ByteArrayOutputStream out, Seen seen) {
        byte[] ip = ip(seen);
        byte[] comment = (seen.isLost() ? "lost on purpose" : "").getBytes(StandardCharsets.UTF_8);
        int option = comment.length == 0 ? 0 : 4 + padded(comment.length) + 4;
        ByteBuffer body = le(20 + padded(ip.length) + option);
        body.putInt(0)
                .putInt((int) (seen.atNs() >>> 32))
                .putInt((int) seen.atNs())
                .putInt(ip.length)
                .putInt(ip.length);
        body.put(ip);
        body.position(20 + padded(ip.length));
        if (comment.length > 0) {
            body.putShort((short) 1).putShort((short) comment.length).put(comment);
        }
        block(out, 6, body);
    }

    private static byte[] ip(Seen seen) {
        int length = 28 + seen.raw().length;
        int iut = (10 << 24) | (seen.plane() << 16) | 1;
        int tester = iut + 1;
        int port = Math.abs(seen.port());
        ByteBuffer ip = ByteBuffer.allocate(length);
        ip.put((byte) 0x45)
                .put((byte) Math.max(seen.ecn(), 0))
                .putShort((short) length)
                .putInt(0x4000);
        ip.put((byte) 64).put((byte) 17).putShort((short) 0);
        ip.putInt(seen.fromIut() ? iut : tester).putInt(seen.fromIut() ? tester : iut);
        int sum = 0;
        for (int i = 0; i < 20; i += 2) {
            sum += ip.getShort(i) & 0xFFFF;
        }
        ip.putShort(10, (short) ~((sum & 0xFFFF) + (sum >>> 16)));
        ip.putShort((short) (port == 0 ? TESTER : port)).putShort((short) (seen.fromIut() ? TESTER : SERVICE));
        ip.putShort((short) (8 + seen.raw().length)).putShort((short) 0).put(seen.raw());
        return ip.array();
    }

    private static int padded(int length) {
        return (length + 3) / 4 * 4;
    }

    private static ByteBuffer le(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @SuppressWarnings("ByteBufferBackingArray") // all are made by le
    private static void block(ByteArrayOutputStream out, int type, ByteBuffer body) {
        int length = 12 + body.capacity();
        out.writeBytes(le(8).putInt(type).putInt(length).array());
        out.writeBytes(body.array());
        out.writeBytes(le(4).putInt(length).array());
    }
}
