package io.metaroce.message;

import io.metaroce.num.Bits;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The Reads and atomics of one connection that have been sent and not been answered in full, by tag. There are at least
 * twice as many places as are taken, so a place for the next tag is never far; most connections never read, so there
 * are none at first.
 */
final class AwaitedResponses {
    /** No request has this tag. */
    static final int NONE = -1;

    private static final int PLACES_AT_FIRST = 4;
    private static final int[] NO_NUMBERS = new int[0];
    private static final boolean[] NO_FLAGS = new boolean[0];
    private static final @Nullable Stream[] NO_STREAMS = new Stream[0];

    int[] msn = NO_NUMBERS;
    int[] length = NO_NUMBERS; // of what is to come, unsigned
    int[] came = NO_NUMBERS; // bytes placed, unsigned
    private @Nullable Stream[] stream = NO_STREAMS;
    private int[] tag = NO_NUMBERS;
    private boolean[] isRead = NO_FLAGS;
    private int mask = -1;
    private @Bits(17) int limit;
    private @Bits(17) int count;
    private @Bits(32) int nextTag;
    private boolean isWaitedFor;

    /** Room for at most {@code requestsMax} requests, the first of which has the tag {@code firstTag}. */
    AwaitedResponses(int requestsMax, int firstTag) {
        limit = requestsMax;
        nextTag = firstTag;
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
        if (2 * count >= stream.length) {
            widen();
        }
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

    private void widen() {
        int places = Math.max(2 * stream.length, PLACES_AT_FIRST);
        int[] msns = new int[places];
        int[] lengths = new int[places];
        int[] cames = new int[places];
        @Nullable Stream[] streams = new Stream[places];
        int[] tags = new int[places];
        boolean[] reads = new boolean[places];
        for (int at = 0; at <= mask; at++) {
            // What was apart in the lower bits of the tag is apart in more of them.
            int to = tag[at] & (places - 1);
            if (stream[at] != null) {
                msns[to] = msn[at];
                lengths[to] = length[at];
                cames[to] = came[at];
                streams[to] = stream[at];
                tags[to] = tag[at];
                reads[to] = isRead[at];
            }
        }
        msn = msns;
        length = lengths;
        came = cames;
        stream = streams;
        tag = tags;
        isRead = reads;
        mask = places - 1;
    }

    /** Place of the request with this tag, or {@link #NONE}. */
    int find(int wanted) {
        if (stream.length == 0) {
            return NONE;
        }
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
