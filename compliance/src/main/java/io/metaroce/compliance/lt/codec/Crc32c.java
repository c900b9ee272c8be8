package io.metaroce.compliance.lt.codec;

/** CRC32C by table: polynomial 0x1EDC6F41 reflected, begun and ended with all ones. */
public final class Crc32c {
    private static final int POLYNOMIAL = 0x82F63B78; // 0x1EDC6F41 with its bits reversed
    private static final int[] TABLE = table();

    private Crc32c() {}

    /** The checksum of {@code length} bytes. */
    public static int of(byte[] bytes, int length) {
        return ~update(~0, bytes, 0, length);
    }

    /** The trailer of a packet: seed, then {@code length} bytes with flag M taken as 0. */
    public static int trailer(int seed, byte[] packet, int length) {
        byte[] first = {(byte) (seed >>> 24), (byte) (seed >>> 16), (byte) (seed >>> 8), (byte) seed};
        int crc = update(~0, first, 0, first.length);
        crc = update(crc, new byte[] {(byte) (packet[0] & 0xF7)}, 0, 1);
        return ~update(crc, packet, 1, length);
    }

    private static int update(int crc, byte[] bytes, int from, int to) {
        int value = crc;
        for (int i = from; i < to; i++) {
            value = (value >>> 8) ^ TABLE[(value ^ bytes[i]) & 0xFF];
        }
        return value;
    }

    private static int[] table() {
        int[] table = new int[256];
        for (int i = 0; i < 256; i++) {
            int value = i;
            for (int bit = 0; bit < 8; bit++) {
                value = (value & 1) == 0 ? value >>> 1 : (value >>> 1) ^ POLYNOMIAL;
            }
            table[i] = value;
        }
        return table;
    }
}
