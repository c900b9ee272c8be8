package io.metaroce.connection;

import io.metaroce.wire.Tlv;
import java.nio.ByteBuffer;

/**
 * Options that mean nothing and never will, sent now and then: whoever does not skip what he does not know is found out
 * today, and not when an option is added that means something.
 *
 * <p>Which packet carries one follows from random numbers of the handshake, so that nothing needs to be remembered.
 */
final class Grease {
    /** Bytes of a chain that consists of one such option and the end. */
    static final int CHAIN_LENGTH = 3 * Tlv.WORD_LENGTH;

    private static final int LAST_DIGIT = 0x0F; // of every type kept for nothing
    private static final int FIRST_PARAMETER = 0x10; // 0x1F, 0x2F, 0x3F
    private static final int PARAMETERS = 3;
    private static final int FIRST_OPTION = 0x40; // 0x4F, 0x5F, 0x6F, 0x7F
    private static final int OPTIONS = 4;
    private static final int STEP = 0x10;
    private static final int REPORTS = 64; // one of so many carries one
    private static final int HANDSHAKES = 4;

    private Grease() {}

    /** Bits that look random, for one packet of a connection. */
    static int bits(int seed, int number) {
        int x = seed ^ (number * 0x9E3779B1);
        x = (x ^ (x >>> 15)) * 0x85EBCA6B;
        return x ^ (x >>> 13);
    }

    /** Whether the report with these bits carries an option. */
    static boolean isInReport(int bits) {
        return (bits & (REPORTS - 1)) == 0;
    }

    /** Whether the handshake with these bits carries a parameter. */
    static boolean isInHandshake(int bits) {
        return (bits & (HANDSHAKES - 1)) == 0;
    }

    /** A handshake parameter kept for nothing. */
    static int parameter(int bits) {
        return FIRST_PARAMETER + (bits >>> 8 & 0xFFFF) % PARAMETERS * STEP + LAST_DIGIT;
    }

    /** An option kept for nothing. */
    static int option(int bits) {
        return FIRST_OPTION + (bits >>> 8 & 0xFFFF) % OPTIONS * STEP + LAST_DIGIT;
    }

    /** Writes a chain of one option and the end; returns its length. */
    static int writeChain(ByteBuffer buffer, int at, int bits) {
        buffer.putInt(at, (option(bits) << 24) | (2 << 16) | (bits & 0xFFFF));
        buffer.putInt(at + Tlv.WORD_LENGTH, bits);
        Tlv.writeEnd(buffer, at + 2 * Tlv.WORD_LENGTH);
        return CHAIN_LENGTH;
    }
}
