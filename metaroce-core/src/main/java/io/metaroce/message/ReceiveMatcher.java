package io.metaroce.message;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;
import io.metaroce.queue.ReceiveCell;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The posted receives of one stream by RSN, in whatever order the messages for them arrive: {@code next <= limit}. What
 * is before {@code next} has been completed, what is from {@code limit} on has not been posted. As many places as the
 * receive queue has cells.
 *
 * <p>Of shared receives the stream promises a window of RSN beyond {@code next}, whether receives are there or not; a
 * place is filled when the first packet for it comes.
 */
final class ReceiveMatcher {
    private final @Nullable ReceiveCell[] cells;
    private final int[] boundMsn;
    private final boolean[] isBound;
    private final int mask;
    private final boolean isShared;
    private @Bits(32) int next;
    private @Bits(32) int limit; // of receives of its own
    private @Bits(32) int used; // one after the highest RSN that a message was seen for
    private boolean isEnded;

    ReceiveMatcher(int depth, int firstRsn, boolean isShared) {
        int wanted = isShared ? Math.min(depth, StreamLimits.SHARED_WINDOW_MAX) : depth;
        int places = Integer.highestOneBit(Math.max(wanted, 1) * 2 - 1);
        this.isShared = isShared;
        cells = new ReceiveCell[places];
        boundMsn = new int[places];
        isBound = new boolean[places];
        mask = places - 1;
        next = firstRsn;
        limit = firstRsn;
        used = firstRsn;
    }

    /** The oldest receive that is not completed. */
    int next() {
        return next;
    }

    /** Receives posted so far: the number the next one gets. Of shared ones: the end of the window. */
    int limit() {
        return isShared ? next + mask + 1 : limit;
    }

    /** Whether receives are shared with other streams. */
    boolean isShared() {
        return isShared;
    }

    /** Receives the peer has not used yet, as far as this side knows. */
    int unused() {
        return limit() - used;
    }

    /** Whether the receive was posted; it may be completed already. */
    boolean isPosted(int rsn) {
        // R-SEND-001: RSN n is the n-th posted receive, whatever else is missing.
        return Serial32.isBefore(rsn, limit());
    }

    /** Whether a message for this RSN, which counts as posted, still needs a shared receive. */
    boolean needsShared(int rsn) {
        return isShared && !Serial32.isBefore(rsn, next) && cells[rsn & mask] == null;
    }

    /** Fills the place of an RSN with a shared receive. */
    void supply(int rsn, ReceiveCell cell) {
        cells[rsn & mask] = cell;
    }

    /**
     * Gives a posted receive to a message.
     *
     * @return false when it is completed already or belongs to another message: the peer numbers its messages wrongly
     */
    boolean bind(int rsn, int msn) {
        if (Serial32.isBefore(rsn, next)) {
            return false;
        }
        int at = rsn & mask;
        if (!isBound[at]) {
            isBound[at] = true;
            boundMsn[at] = msn;
            if (!Serial32.isBefore(rsn, used)) {
                used = rsn + 1;
            }
        }
        return boundMsn[at] == msn;
    }

    /** The last RSN after {@code rsn} that holds a shared receive; {@code rsn} itself if there is none. */
    int lastAfter(int rsn) {
        int last = used - 1;
        while (Serial32.isAfter(last, rsn) && cells[last & mask] == null) {
            last--;
        }
        return Serial32.isAfter(last, rsn) ? last : rsn;
    }

    /** The message that a receive belongs to. */
    int boundMsn(int rsn) {
        return boundMsn[rsn & mask];
    }

    /** Takes a shared receive away from its message. */
    ReceiveCell takeBack(int rsn) {
        ReceiveCell cell = cell(rsn);
        cells[rsn & mask] = null;
        isBound[rsn & mask] = false;
        return cell;
    }

    /** Whether the oldest receive belongs to a message. */
    boolean isNextBoundTo(int msn) {
        return next != limit() && isBound[next & mask] && boundMsn[next & mask] == msn;
    }

    /** The buffers of a receive that is posted and not completed. */
    ReceiveCell cell(int rsn) {
        return Objects.requireNonNull(cells[rsn & mask], "the receive is not posted");
    }

    /** One more receive is posted. */
    void admit(ReceiveCell cell) {
        assert !isShared && limit - next <= mask : "more receives than cells";
        int at = limit & mask;
        cells[at] = cell;
        isBound[at] = false;
        limit++;
    }

    /** Lets go of the oldest receive and returns its cell. */
    ReceiveCell finish() {
        ReceiveCell cell = cell(next);
        cells[next & mask] = null;
        isBound[next & mask] = false;
        next++;
        if (Serial32.isBefore(used, next)) {
            used = next;
        }
        return cell;
    }

    /** Lets go of the oldest receive that is there and returns its cell; null when none is left. */
    @Nullable
    ReceiveCell drop() {
        int end = isShared ? used : limit;
        while (next != end) {
            if (cells[next & mask] != null) {
                return finish();
            }
            next++;
        }
        return null;
    }

    /** Whether nothing will ever be received any more. */
    boolean isEnded() {
        return isEnded;
    }

    /** Nothing will be received any more; returns whether that is new. */
    boolean end() {
        boolean isNew = !isEnded;
        isEnded = true;
        return isNew;
    }
}
