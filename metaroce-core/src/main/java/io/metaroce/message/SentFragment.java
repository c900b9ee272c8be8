package io.metaroce.message;

/**
 * What one slot in flight carries: all that its packet says, so that it can be written a second time, or withdrawn when
 * its attempt is dead. It repeats what the header needs, because a slot may have to be withdrawn after its work request
 * has gone back to the application.
 */
final class SentFragment {
    int streamId = SentFragments.NOBODY;
    int msn;
    int offset; // of the fragment in its message, unsigned
    int messageLength; // unsigned
    int payload; // bytes of it
    int rkey;
    int rsn; // of a Read or atomic and of its response: the tag
    int immediate; // or the key to invalidate, the operation of an atomic, the code of a status response
    byte opcode;
    byte attempt; // modulo 8
    byte flags; // of the message header
    long remoteAddress; // of the fragment's first byte
    long operandA; // of an atomic; in its response: what was in memory before
    long operandB;

    /** Forgets what it carried. */
    void clear() {
        streamId = SentFragments.NOBODY;
    }
}
