package io.metaroce.message;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;

/**
 * What a responder knows of the messages of one stream that are not complete: a window over MSN that begins at
 * {@link #next()}. Bytes are counted, not remembered one by one: every fragment arrives once, so a message is complete
 * when as many bytes were placed as it has.
 *
 * <p>The window starts small and widens to what the peer was told it may open, 20 bytes a message.
 */
final class OpenMessages {
    static final byte UNSEEN = 0; // nothing of it has arrived
    static final byte OPEN = 1; // some fragments of the present attempt were placed
    static final byte PLACED = 2; // all of it is placed
    static final byte STASHED = 4; // all of it is here, to be placed in its turn
    static final byte REFUSED = 3; // the present attempt was refused; its fragments are dropped

    private static final int PLACES_AT_FIRST = 2;

    /** The message that cannot be completed, and why. */
    final Fault fault = new Fault();

    byte[] phase;
    byte[] opcode;
    byte[] attempt;
    byte[] flags; // of the message header
    int[] length; // of the message, unsigned
    int[] placed; // bytes placed, unsigned
    int[] rsn; // of a Read or atomic: its place among those to be answered; of a stashed Write: in the stash
    int[] immediate; // or the key to invalidate
    private final int widthMax;
    private int mask;
    private @Bits(32) int next;

    /** A window of at most {@code widthMax} messages. */
    OpenMessages(int widthMax, int firstMsn) {
        this.widthMax = widthMax;
        int places = PLACES_AT_FIRST;
        phase = new byte[places];
        opcode = new byte[places];
        attempt = new byte[places];
        flags = new byte[places];
        length = new int[places];
        placed = new int[places];
        rsn = new int[places];
        immediate = new int[places];
        mask = places - 1;
        next = firstMsn;
    }

    /** The first message that is not complete: every one before it is. */
    int next() {
        return next;
    }

    /** Whether a message is complete, or so old that nobody can tell. */
    boolean isComplete(int msn) {
        return Serial32.isBefore(msn, next);
    }

    /** Whether a message lies so far ahead that the peer cannot have been allowed to begin it. */
    boolean isBeyond(int msn) {
        return Serial32.distance(next, msn) >= widthMax;
    }

    /** Place of a message that is neither complete nor beyond the window; makes room for it. */
    int at(int msn) {
        int ahead = Serial32.distance(next, msn);
        if (ahead > mask) {
            widen(ahead);
        }
        return msn & mask;
    }

    /** Whether all of a message is here, so that it can be completed in its turn. */
    boolean isWhole(int at) {
        return phase[at] == PLACED || phase[at] == STASHED;
    }

    /** Place of the first message that is not complete. */
    int atNext() {
        return next & mask;
    }

    /** A new attempt at a message begins: nothing of it has arrived. */
    void restart(int at, int newAttempt) {
        // R-SEND-005: a newer attempt resets the byte count.
        phase[at] = UNSEEN;
        attempt[at] = (byte) newAttempt;
        placed[at] = 0;
    }

    /** The first message has been completed. */
    void advance() {
        restart(next & mask, 0);
        next++;
    }

    private void widen(int ahead) {
        int places = Integer.highestOneBit(ahead) * 2;
        Widening wider = new Widening(next, phase.length, places);
        phase = wider.moved(phase, new byte[places]);
        opcode = wider.moved(opcode, new byte[places]);
        attempt = wider.moved(attempt, new byte[places]);
        flags = wider.moved(flags, new byte[places]);
        length = wider.moved(length, new int[places]);
        placed = wider.moved(placed, new int[places]);
        rsn = wider.moved(rsn, new int[places]);
        immediate = wider.moved(immediate, new int[places]);
        mask = places - 1;
    }
}
