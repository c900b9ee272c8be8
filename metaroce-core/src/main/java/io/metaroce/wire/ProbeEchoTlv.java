package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * The option of an ACK that repeats the challenge of a probe; may stand more than once.
 *
 * <pre>ProbeEcho ::= 0x02 0x03 reserved:16 challenge:64</pre>
 */
public final class ProbeEchoTlv {
    static final int RESERVED = Tlv.VALUE;
    static final int CHALLENGE = RESERVED + 2;
    /** Bytes of the option. */
    public static final int LENGTH = CHALLENGE + 8;
    /** Bytes of a chain that consists of this option and the end. */
    public static final int CHAIN_LENGTH = LENGTH + Tlv.WORD_LENGTH;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the option; valid until the buffer is
     * reused.
     */
    public ProbeEchoTlv wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** The challenge repeated. */
    public long challenge() {
        return buffer.getLong(at + CHALLENGE);
    }

    /** Sets {@link #challenge()}, and type, length and reserved bits with it. */
    public ProbeEchoTlv challenge(long value) {
        // R-HDR-003: reserved fields are sent as zero.
        Tlv.writeHead(buffer, at, Tlv.PROBE_ECHO, LENGTH / Tlv.WORD_LENGTH);
        buffer.putLong(at + CHALLENGE, value);
        return this;
    }

    /** Writes a chain of one echo and the end at {@code offset}; returns its length. */
    public int writeChain(ByteBuffer buffer, int offset, long challenge) {
        wrap(buffer, offset).challenge(challenge);
        return LENGTH + Tlv.writeEnd(buffer, offset + LENGTH);
    }
}
