package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Options: a chain of self-describing values behind the headers of a packet.
 *
 * <pre>options ::= option* END
 * option  ::= type:8 lengthWords:8 value:16 value:32^(lengthWords - 1)
 * END     ::= 0x00 0x01 reserved:16</pre>
 *
 * <p>Bit 7 of the type says that who does not know the option must drop the packet. Types 0x10 to 0x3F and 0x90 to 0xBF
 * are parameters of the handshake and mean nothing elsewhere.
 */
public final class Tlv {
    /** Ends the chain. */
    public static final int END = 0x00;
    /** Repeats the challenge of a probe in the ACK that answers it. */
    public static final int PROBE_ECHO = 0x02;
    /** A hint about planes; skipped by this version. */
    public static final int PLANE_HINT = 0x03;
    /** Parity, reserved for a later version. */
    public static final int PARITY = 0x04;
    /** A trace of the way; skipped by this version. */
    public static final int TRACE = 0x05;
    /** Bit of the type that says: drop the packet if you do not know this. */
    public static final int CRITICAL = 0x80;

    /** Handshake parameter: planes and addresses the sender receives on. */
    public static final int PLANES = 0x90;
    /** Handshake parameter: paths accepted. */
    public static final int MAX_PATHS = 0x91;
    /** Handshake parameter: logarithm of the tracking window. */
    public static final int TRACK_WINDOW = 0x92;
    /** Handshake parameter: words of bitmap a path block covers. */
    public static final int SACK_WORDS = 0x93;
    /** Handshake parameter: payload of a full packet. */
    public static final int MAX_PAYLOAD = 0x94;
    /** Handshake parameter: streams accepted. */
    public static final int MAX_STREAMS = 0x95;
    /** Handshake parameter: incomplete messages accepted. */
    public static final int MAX_OPEN_MSGS = 0x96;
    /** Handshake parameter: reads and atomics served at once. */
    public static final int MAX_READS = 0x97;
    /** Handshake parameter: longest message accepted. */
    public static final int MAX_MESSAGE = 0x98;
    /** Handshake parameter: streams open at once, with their credits. */
    public static final int STREAMS_OPEN = 0x19;
    /** Handshake parameter: when the sender acknowledges at the latest. */
    public static final int ACK_POLICY = 0x9A;
    /** Handshake parameter: inbound line rate. */
    public static final int CAPACITY = 0x1B;
    /** Handshake parameter: weight asked for in the peer's shares. */
    public static final int WEIGHT = 0x1C;
    /** Handshake parameter: most bytes before the first hint. */
    public static final int INIT_BUDGET = 0x1D;
    /** Handshake parameter: which congestion marks the sender can read. */
    public static final int ECN_MODE = 0x9E;
    /** Handshake parameter: integrity profiles. */
    public static final int INTEGRITY = 0x9F;
    /** Handshake parameter: trailer seed for packets to the sender. */
    public static final int CRC_SEED = 0xA0;
    /** Handshake parameter: where the sender's PSNs begin. */
    public static final int PSN_SEED = 0xA1;
    /** Handshake parameter: keepalive and dead time. */
    public static final int IDLE_TIMES = 0x22;
    /** Handshake parameter: features supported and required. */
    public static final int FEATURES = 0xA3;
    /** Handshake parameter: what a RESET for the sender's ConnId must carry. */
    public static final int RESET_TOKEN = 0xA4;
    /** Handshake parameter: the cookie of a CONN_RETRY. */
    public static final int COOKIE = 0xA5;
    /** Handshake parameter: atomic operations offered. */
    public static final int ATOMIC_CAPS = 0x26;
    /** Handshake parameter: bytes of the application. */
    public static final int PRIVATE_DATA = 0x27;
    /** Handshake parameter: outstanding ordered writes accepted. */
    public static final int ORDERED_STASH = 0x28;

    static final int TYPE = 0;
    static final int LENGTH_WORDS = TYPE + 1;
    /** Bytes of an option before its value. */
    public static final int VALUE = LENGTH_WORDS + 1;
    /** Bytes of a word, and of an option without words after the first. */
    public static final int WORD_LENGTH = 4;

    private Tlv() {}

    /** Type of the option at {@code at}. */
    public static int type(ByteBuffer buffer, int at) {
        return buffer.get(at + TYPE) & 0xFF;
    }

    /**
     * Length of the option at {@code at} in bytes, its first word included; a multiple of 4, 0 when it is malformed.
     */
    public static int lengthBytes(ByteBuffer buffer, int at) {
        return (buffer.get(at + LENGTH_WORDS) & 0xFF) * WORD_LENGTH;
    }

    /** Whether whoever does not know the type must drop the packet. */
    public static boolean isCritical(int type) {
        return (type & CRITICAL) != 0;
    }

    /** Whether the type belongs to the handshake. */
    public static boolean isParameter(int type) {
        int number = type & ~CRITICAL;
        return number >= 0x10 && number < 0x40;
    }

    /** Whether the type is one of the handshake parameters of this version. */
    public static boolean isKnownParameter(int type) {
        return switch (type) {
            case PLANES,
                    MAX_PATHS,
                    TRACK_WINDOW,
                    SACK_WORDS,
                    MAX_PAYLOAD,
                    MAX_STREAMS,
                    MAX_OPEN_MSGS,
                    MAX_READS,
                    MAX_MESSAGE,
                    STREAMS_OPEN,
                    ACK_POLICY,
                    CAPACITY,
                    WEIGHT,
                    INIT_BUDGET,
                    ECN_MODE,
                    INTEGRITY,
                    CRC_SEED,
                    PSN_SEED,
                    IDLE_TIMES,
                    FEATURES,
                    RESET_TOKEN,
                    COOKIE,
                    ATOMIC_CAPS,
                    PRIVATE_DATA,
                    ORDERED_STASH -> true;
            default -> false;
        };
    }

    /** Writes the end of the chain and returns its length. */
    public static int writeEnd(ByteBuffer buffer, int at) {
        writeHead(buffer, at, END, 1);
        return WORD_LENGTH;
    }

    /** Writes the first word of an option, with zeros for the 16 bits of value in it. */
    static void writeHead(ByteBuffer buffer, int at, int type, int words) {
        buffer.putInt(at, (type << 24) | (words << 16));
    }
}
