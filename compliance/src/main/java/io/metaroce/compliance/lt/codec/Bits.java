package io.metaroce.compliance.lt.codec;

/** Numbers at bit offsets, most significant bit first. */
final class Bits {
    private Bits() {}

    static long read(byte[] bytes, long at, int bits) {
        long value = 0;
        for (long bit = at; bit < at + bits; bit++) {
            value = (value << 1) | ((bytes[(int) (bit >>> 3)] >>> (7 - (bit & 7))) & 1);
        }
        return value;
    }

    static void write(byte[] bytes, long at, int bits, long value) {
        for (int i = 0; i < bits; i++) {
            long bit = at + i;
            int mask = 0x80 >>> (bit & 7);
            int index = (int) (bit >>> 3);
            if (((value >>> (bits - 1 - i)) & 1) != 0) {
                bytes[index] |= (byte) mask;
            } else {
                bytes[index] &= (byte) ~mask;
            }
        }
    }
}
