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
 * from {@code started} on has not left yet. As many places as the send queue has cells, so it cannot be full.
 */
final class SendWindow {
    static final byte QUEUED = 0; // nothing of it has left
    static final byte SENDING = 1; // some fragments of the present attempt have left, or all are still to leave
    static final byte SENT = 2; // all fragments of the present attempt have left
    static final byte REFUSED = 3; // the present attempt was refused; the next one has not begun

    final @Nullable SendCell[] cells;
    final byte[] phase;
    final int[] attempts; // attempts before the present one; modulo 8 that is the number on the wire
    final int[] sentBytes; // of the present attempt, unsigned
    final int[] slotsOut; // slots of the present attempt that are not acknowledged
    final int[] rsn;
    final boolean[] isAnswered; // all bytes the message fetches are there; always so if it fetches none
    final long[] retryAtNs; // when a refused message may be tried without a credit
    final boolean[] needsDelay; // of a refused message: a credit is no permission, shared receives ran out
    private final int mask;
    private @Bits(32) int done;
    private @Bits(32) int settled;
    private @Bits(32) int started;
    private @Bits(32) int fetched;

    SendWindow(int depth, int firstMsn) {
        int places = Integer.highestOneBit(Math.max(depth, 1) * 2 - 1);
        cells = new SendCell[places];
        phase = new byte[places];
        attempts = new int[places];
        sentBytes = new int[places];
        slotsOut = new int[places];
        rsn = new int[places];
        isAnswered = new boolean[places];
        retryAtNs = new long[places];
        needsDelay = new boolean[places];
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
        assert outstanding() <= mask : "more work requests than cells";
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
        phase[msn & mask] = SENDING;
        attempts[msn & mask]++;
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
