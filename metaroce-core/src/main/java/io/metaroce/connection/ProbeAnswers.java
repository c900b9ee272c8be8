package io.metaroce.connection;

import io.metaroce.wire.Tlv;
import java.nio.ByteBuffer;

/** Probes that want an answer: the next report is one, and echoes the newest challenge. */
final class ProbeAnswers {
    /** Bytes of an echo and the end of the chain. */
    static final int CHAIN_LENGTH = 16;

    private static final int ECHO_WORDS = 3;

    private boolean answer;
    private boolean echo;
    private long challenge;

    void onProbe() {
        answer = true;
    }

    void onChallenge(long value) {
        answer = true;
        echo = true;
        challenge = value;
    }

    boolean hasEcho() {
        return echo;
    }

    boolean takeAnswer() {
        boolean was = answer;
        answer = false;
        return was;
    }

    /** Writes the echo and the end of the chain; returns the bytes written. */
    int writeEcho(ByteBuffer buffer, int at) {
        echo = false;
        buffer.putInt(at, (Tlv.PROBE_ECHO << 24) | (ECHO_WORDS << 16));
        buffer.putLong(at + Tlv.WORD_LENGTH, challenge);
        Tlv.writeEnd(buffer, at + ECHO_WORDS * Tlv.WORD_LENGTH);
        return CHAIN_LENGTH;
    }
}
