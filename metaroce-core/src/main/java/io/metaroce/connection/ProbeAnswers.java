package io.metaroce.connection;

import io.metaroce.wire.Tlv;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Probes that want an answer: the next report is one, and echoes the challenges that came since the last. A challenge
 * too many is dropped; whoever sent it asks again.
 */
final class ProbeAnswers {
    private static final int ECHO_WORDS = 3;
    private static final int ECHO_LENGTH = ECHO_WORDS * Tlv.WORD_LENGTH;
    private static final int CHALLENGES_MAX = 16;
    private static final long[] NONE_YET = new long[0];

    private long[] challenges = NONE_YET; // as wide as most came between two reports
    private boolean answer;
    private int count;

    void onProbe() {
        answer = true;
    }

    void onChallenge(long value) {
        answer = true;
        if (count == CHALLENGES_MAX) {
            return;
        }
        if (count == challenges.length) {
            challenges = Arrays.copyOf(challenges, Math.max(1, 2 * count));
        }
        challenges[count++] = value;
    }

    boolean hasEcho() {
        return count > 0;
    }

    /** Bytes of the echoes and the end of the chain. */
    int chainLength() {
        return count * ECHO_LENGTH + Tlv.WORD_LENGTH;
    }

    boolean takeAnswer() {
        boolean was = answer;
        answer = false;
        return was;
    }

    /** Writes the echoes and the end of the chain; returns the bytes written. */
    int writeEcho(ByteBuffer buffer, int at) {
        int length = chainLength();
        for (int i = 0; i < count; i++) {
            int here = at + i * ECHO_LENGTH;
            buffer.putInt(here, (Tlv.PROBE_ECHO << 24) | (ECHO_WORDS << 16));
            buffer.putLong(here + Tlv.WORD_LENGTH, challenges[i]);
        }
        Tlv.writeEnd(buffer, at + count * ECHO_LENGTH);
        count = 0;
        return length;
    }
}
