package io.metaroce.wire;

import java.util.Locale;

/** The error codes of the wire: in NAK, in failed stream updates, in responses, and in CLOSE above {@code 0x100}. */
public final class NakCode {
    /** No receive was posted for the message. */
    public static final int RNR = 0x01;
    /** Key, bounds or permission. */
    public static final int REM_ACCESS = 0x02;
    /** Length, too many reads, RSN mismatch, Send too long. */
    public static final int INV_REQ = 0x03;
    /** The responder failed inside. */
    public static final int OP_ERR = 0x04;
    /** The stream is closed, or was given up by one side. */
    public static final int ABORT = 0x05;
    /** Unknown critical option or opcode; the slot is not consumed. */
    public static final int UNSUPPORTED = 0x06;
    /** Length, offset or kind of a response is wrong; never travels. */
    public static final int BAD_RESP = 0x07;
    /** Slots beyond the window, again and again. */
    public static final int WINDOW = 0x08;
    /** Malformed, an unsent slot acknowledged, an impossible attempt. */
    public static final int PROTO = 0x09;
    /** A message on a stream that was never open. */
    public static final int NOT_OPEN = 0x0A;

    private NakCode() {}

    /** The name of a code, for people. */
    public static String name(int code) {
        return switch (code) {
            case RNR -> "RNR";
            case REM_ACCESS -> "REM_ACCESS";
            case INV_REQ -> "INV_REQ";
            case OP_ERR -> "OP_ERR";
            case ABORT -> "ABORT";
            case UNSUPPORTED -> "UNSUPPORTED";
            case BAD_RESP -> "BAD_RESP";
            case WINDOW -> "WINDOW";
            case PROTO -> "PROTO";
            case NOT_OPEN -> "NOT_OPEN";
            default -> String.format(Locale.ROOT, "0x%02X", code);
        };
    }
}
