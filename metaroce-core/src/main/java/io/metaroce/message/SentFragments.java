package io.metaroce.message;

import java.util.Arrays;

/**
 * What every slot in flight carries: columns parallel to the slot numbers, so that a packet can be written a second
 * time, or withdrawn when its attempt is dead. One per endpoint. The columns repeat what the header needs, because a
 * slot may have to be withdrawn after its work request has gone back to the application.
 */
public final class SentFragments {
    /** No stream: the slot carries nothing of ours. */
    static final int NOBODY = -1;

    final int[] streamId;
    final byte[] opcode;
    final byte[] attempt; // modulo 8
    final byte[] flags; // of the message header
    final int[] msn;
    final int[] offset; // of the fragment in its message, unsigned
    final int[] messageLength; // unsigned
    final long[] remoteAddress; // of the fragment's first byte
    final int[] rkey;
    final int[] rsn; // of a Read or atomic and of its response: the tag
    final int[] immediate; // or the key to invalidate, the operation of an atomic, the code of a status response
    final long[] operandA; // of an atomic; in its response: what was in memory before
    final long[] operandB;

    /** Columns for {@code slots} slots. */
    public SentFragments(int slots) {
        streamId = new int[slots];
        opcode = new byte[slots];
        attempt = new byte[slots];
        flags = new byte[slots];
        msn = new int[slots];
        offset = new int[slots];
        messageLength = new int[slots];
        remoteAddress = new long[slots];
        rkey = new int[slots];
        rsn = new int[slots];
        immediate = new int[slots];
        operandA = new long[slots];
        operandB = new long[slots];
        Arrays.fill(streamId, NOBODY);
    }

    /** Slots it has columns for. */
    public int capacity() {
        return streamId.length;
    }

    /** Forgets what a slot carried. */
    void clear(int slot) {
        streamId[slot] = NOBODY;
    }
}
