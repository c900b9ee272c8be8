package io.metaroce.param;

/** The error codes of the wire, with the number that travels and a sentence for people. */
public enum StreamError {
    /** No error. */
    NONE(0x00, "no error"),
    /** No receive was posted for the message. */
    RNR(0x01, "the receiver had posted no buffer for this message"),
    /** Key, bounds or permission failed. */
    REM_ACCESS(0x02, "the peer refused the access: key, bounds or permission"),
    /** The request is malformed or breaks a limit. */
    INV_REQ(0x03, "the peer found the request invalid: its length, or more than it accepts at once"),
    /** The responder failed inside. */
    OP_ERR(0x04, "the peer could not carry out the operation"),
    /** One side gave the stream up. */
    ABORT(0x05, "the stream was given up by one side"),
    /** An opcode or option the peer does not know. */
    UNSUPPORTED(0x06, "the peer does not know an option or operation that must be understood"),
    /** A response does not fit its request. */
    BAD_RESP(0x07, "the response does not fit the request"),
    /** Slots beyond the window, again and again. */
    WINDOW(0x08, "the peer keeps sending beyond its window"),
    /** The peer breaks the protocol. */
    PROTO(0x09, "the peer broke the protocol"),
    /** The stream was never open. */
    NOT_OPEN(0x0A, "the stream is not open at the peer");

    private final int code;
    private final String sentence;

    StreamError(int code, String sentence) {
        this.code = code;
        this.sentence = sentence;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    /** What it means, in plain words. */
    public String sentence() {
        return sentence;
    }

    /** The error with this number; unknown numbers are {@link #OP_ERR}. */
    public static StreamError of(int code) {
        return switch (code) {
            case 0x00 -> NONE;
            case 0x01 -> RNR;
            case 0x02 -> REM_ACCESS;
            case 0x03 -> INV_REQ;
            case 0x05 -> ABORT;
            case 0x06 -> UNSUPPORTED;
            case 0x07 -> BAD_RESP;
            case 0x08 -> WINDOW;
            case 0x09 -> PROTO;
            case 0x0A -> NOT_OPEN;
            default -> OP_ERR;
        };
    }
}
