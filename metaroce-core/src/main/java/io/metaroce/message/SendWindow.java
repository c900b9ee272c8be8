package io.metaroce.message;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;
import io.metaroce.queue.SendCell;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The work requests of one stream that have been taken and are not complete, by MSN: {@code done <= settled <= started
 * <= fetched}. What is before {@code settled} is complete at the peer, what is before {@code done} has been completed
 * here as well: between the two stand Reads and atomics whose response is missing, and what waits behind them. What is
 * from {@code started} on has not left yet. There are few places at first, and at most as many as the send queue has
 * cells, so it cannot be full.
 */
final class SendWindow {
    static final byte QUEUED = 0; // nothing of it has left
    static final byte SENDING = 1; // some fragments of the present attempt have left, or all are still to leave
    static final byte SENT = 2; // all fragments of the present attempt have left
    static final byte REFUSED = 3; // the present attempt was refused; the next one has not begun

    private static final int PLACES_AT_FIRST = 2;
    private static final int ATTEMPTS_MOD = 8; // on the wire
    private static final long[] NO_DELAYS = new long[0];
    private static final boolean[] NO_FLAGS = new boolean[0];

    @Nullable
    SendCell[] cells;

    byte[] phase;
    int[] sentBytes; // of the present attempt, unsigned
    int[] slotsOut; // slots of the present attempt that are not acknowledged
    int[] rsn;
    boolean[] isAnswered; // all bytes the message fetches are there; always so if it fetches none
    private byte[] attempts; // before the present one; from 8 on only the number modulo 8 is kept
    private long[] retryAtNs = NO_DELAYS; // when a refused message may be tried without a credit
    private boolean[] needsDelay = NO_FLAGS; // of a refused one: a credit is no permission, shared receives ran out
    private final int placesMax;
    private int mask;
    private @Bits(32) int done;
    private @Bits(32) int settled;
    private @Bits(32) int started;
    private @Bits(32) int fetched;

    SendWindow(int depth, int firstMsn) {
        placesMax = Integer.highestOneBit(Math.max(depth, 1) * 2 - 1);
        int places = Math.min(placesMax, PLACES_AT_FIRST);
        cells = new SendCell[places];
        phase = new byte[places];
        sentBytes = new int[places];
        slotsOut = new int[places];
        rsn = new int[places];
        isAnswered = new boolean[places];
        attempts = new byte[places];
        mask = places - 1;
        done = firstMsn;
        settled = firstMsn;
        started = firstMsn;
        fetched = firstMsn;
    }

    /** Place of a message in the columns. */
    int at(int msn) {
        return msn & mask;
    }

    /** The work request of a message that is outstanding. */
    SendCell cell(int msn) {
        return Objects.requireNonNull(cells[msn & mask], "the message is not outstanding");
    }

    /** The oldest message that is not complete here. */
    int done() {
        return done;
    }

    /** The oldest message that is not complete at the peer. */
    int settled() {
        return settled;
    }

    /** The first message of which nothing has left. */
    int started() {
        return started;
    }

    /** The message the next work request will be. */
    int fetched() {
        return fetched;
    }

    /** Work requests taken and not complete. */
    int outstanding() {
        return fetched - done;
    }

    /** Messages begun and not complete at the peer. */
    int open() {
        return started - settled;
    }

    /** Whether something of the message has left and it is not complete at the peer. */
    boolean isOpen(int msn) {
        int ahead = Serial32.distance(settled, msn);
        return ahead >= 0 && ahead < started - settled;
    }

    /** Whether the oldest message is complete on both sides. */
    boolean isFinishable() {
        return done != settled && isAnswered[done & mask];
    }

    /** Whether nothing but a response of the peer is missing. */
    boolean awaitsResponse() {
        return done != settled && !isAnswered[done & mask];
    }

    /** Bytes of a message that have not left in its present attempt. */
    long unsentBytes(int msn) {
        return cell(msn).opcode().fetches()
                ? 0
                : cell(msn).lengthBytes() - Integer.toUnsignedLong(sentBytes[msn & mask]);
    }

    /** Takes one more work request; returns its MSN. */
    int admit(SendCell cell) {
        if (outstanding() > mask) {
            widen();
        }
        int at = fetched & mask;
        cells[at] = cell;
        phase[at] = QUEUED;
        attempts[at] = 0;
        sentBytes[at] = 0;
        slotsOut[at] = 0;
        isAnswered[at] = !cell.opcode().fetches();
        return fetched++;
    }

    /** The first attempt at the message {@link #started()} begins. */
    void start() {
        phase[started & mask] = SENDING;
        started++;
    }

    /** Another attempt at a refused message begins. */
    void restart(int msn) {
        int at = msn & mask;
        phase[at] = SENDING;
        attempts[at] = (byte) (attempts[at] == 2 * ATTEMPTS_MOD - 1 ? ATTEMPTS_MOD : attempts[at] + 1);
    }

    /** Attempts at a message before the present one; modulo 8 that is the number on the wire. */
    int attempts(int at) {
        return attempts[at];
    }

    /**
     * The present attempt was refused.
     *
     * @param atNs when there may be another one without a credit
     * @param ranOut a credit is no permission, since shared receives had run out
     */
    void refuse(int at, long atNs, boolean ranOut) {
        if (retryAtNs.length == 0) {
            retryAtNs = new long[cells.length];
            needsDelay = new boolean[cells.length];
        }
        phase[at] = REFUSED;
        sentBytes[at] = 0;
        retryAtNs[at] = atNs;
        needsDelay[at] = ranOut;
    }

    /** When a refused message may be tried without a credit. */
    long retryAtNs(int at) {
        return retryAtNs[at];
    }

    /** Whether a refused message has to wait even when there is a credit. */
    boolean needsDelay(int at) {
        return needsDelay[at];
    }

    private void widen() {
        assert cells.length < placesMax : "more work requests than cells";
        int places = 2 * cells.length;
        Widening wider = new Widening(done, cells.length, places);
        cells = wider.moved(cells, new SendCell[places]);
        phase = wider.moved(phase, new byte[places]);
        sentBytes = wider.moved(sentBytes, new int[places]);
        slotsOut = wider.moved(slotsOut, new int[places]);
        rsn = wider.moved(rsn, new int[places]);
        isAnswered = wider.moved(isAnswered, new boolean[places]);
        attempts = wider.moved(attempts, new byte[places]);
        if (retryAtNs.length > 0) {
            retryAtNs = wider.moved(retryAtNs, new long[places]);
            needsDelay = wider.moved(needsDelay, new boolean[places]);
        }
        mask = places - 1;
    }

    /** The oldest message that was not complete at the peer is. */
    void settle() {
        sentBytes[settled & mask] = (int) cell(settled).lengthBytes();
        settled++;
    }

    /** Lets go of the oldest message and returns its work request. */
    SendCell finish() {
        int at = done & mask;
        SendCell cell = cell(done);
        cells[at] = null;
        phase[at] = QUEUED;
        if (settled == done) {
            settled++;
        }
        if (started == done) {
            started++;
        }
        done++;
        return cell;
    }
}
