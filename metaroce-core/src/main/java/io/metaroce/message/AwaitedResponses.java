package io.metaroce.message;

import io.metaroce.num.Bits;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The Reads and atomics of one connection that have been sent and not been answered in full, by tag. There are twice as
 * many places as may be taken, so a place for the next tag is never far.
 */
final class AwaitedResponses {
    /** No request has this tag. */
    static final int NONE = -1;

    final int[] msn;
    final int[] length; // of what is to come, unsigned
    final int[] came; // bytes placed, unsigned
    private final @Nullable Stream[] stream;
    private final int[] tag;
    private final boolean[] isRead;
    private final int mask;
    private @Bits(17) int limit;
    private @Bits(17) int count;
    private @Bits(32) int nextTag;
    private boolean isWaitedFor;

    /** Room for at most {@code requestsMax} requests. */
    AwaitedResponses(int requestsMax) {
        int places = Integer.highestOneBit(Math.max(requestsMax, 1) * 2 - 1) * 2;
        msn = new int[places];
        length = new int[places];
        came = new int[places];
        stream = new Stream[places];
        tag = new int[places];
        isRead = new boolean[places];
        mask = places - 1;
        limit = requestsMax;
    }

    /** How many the peer serves at once. */
    void limit(int peerRequestsMax) {
        limit = Math.min(limit, peerRequestsMax);
    }

    /** Whether any request is ever served. */
    boolean isOffered() {
        return limit > 0;
    }

    /** Whether one more request may leave; if not, somebody waits for it. */
    boolean allowsOne() {
        // R-READ-004: outstanding Reads and atomics stay within what the peer serves at once.
        isWaitedFor |= count >= limit;
        return count < limit;
    }

    /** A request leaves; returns its tag. */
    int open(Stream of, int itsMsn, int itsLength, boolean itIsRead) {
        assert count < limit : "more requests than the peer serves";
        while (stream[nextTag & mask] != null) {
            nextTag++;
        }
        int at = nextTag & mask;
        stream[at] = of;
        tag[at] = nextTag;
        msn[at] = itsMsn;
        length[at] = itsLength;
        came[at] = 0;
        isRead[at] = itIsRead;
        count++;
        of.cursor.addUnanswered(1);
        return nextTag++;
    }

    /** Place of the request with this tag, or {@link #NONE}. */
    int find(int wanted) {
        int at = wanted & mask;
        return stream[at] != null && tag[at] == wanted ? at : NONE;
    }

    /** The stream of a request that is awaited. */
    Stream stream(int at) {
        return Objects.requireNonNull(stream[at], "nothing is awaited there");
    }

    /** Whether it is a Read; otherwise it is an atomic. */
    boolean isRead(int at) {
        return isRead[at];
    }

    /**
     * A request has been answered, or nobody waits for it any more.
     *
     * @return whether somebody waits for the room
     */
    boolean close(int at) {
        stream(at).cursor.addUnanswered(-1);
        stream[at] = null;
        count--;
        boolean wake = isWaitedFor;
        isWaitedFor = false;
        return wake;
    }

    /**
     * Nothing more will come for a stream.
     *
     * @return whether somebody waits for the room
     */
    boolean closeAll(Stream of) {
        boolean wake = false;
        for (int at = 0; of.cursor.unanswered() > 0 && at <= mask; at++) {
            if (stream[at] == of) {
                wake |= close(at);
            }
        }
        return wake;
    }
}
