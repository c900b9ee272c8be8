package io.metaroce.message;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The streams of one connection by id, and what the peer has announced of streams that are not bound here yet. */
final class Streams {
    private final @Nullable Stream[] byId;
    private final Stream[] inOrder;
    private final boolean[] isAnnounced;
    private final int[] announcedLimit;
    private @Bits(16) int count;

    /** A directory for ids below {@code streams}. */
    Streams(int streams, int firstRsn) {
        byId = new Stream[streams];
        inOrder = new Stream[streams];
        isAnnounced = new boolean[streams];
        announcedLimit = new int[streams];
        Arrays.fill(announcedLimit, firstRsn);
    }

    /** Ids are below it. */
    int idsMax() {
        return byId.length;
    }

    /** The stream with this id, or null when no queue pair was ever bound to it. */
    @Nullable
    Stream find(int id) {
        return id >= 0 && id < byId.length ? byId[id] : null;
    }

    /** Adds a stream; takes over what the peer has announced of it. */
    void add(Stream stream) {
        assert byId[stream.id] == null : "stream " + stream.id + " is bound already";
        byId[stream.id] = stream;
        inOrder[count] = stream;
        count++;
        stream.credits.raise(announcedLimit[stream.id]);
        if (isAnnounced[stream.id]) {
            stream.credits.announce();
        }
    }

    /** The peer says that a stream is open there that is not bound here. */
    void announced(int id) {
        if (id >= 0 && id < byId.length) {
            isAnnounced[id] = true;
        }
    }

    /** The peer has posted receives on a stream that is not bound here. */
    void raised(int id, int limit) {
        if (id >= 0 && id < byId.length) {
            announcedLimit[id] = Serial32.later(announcedLimit[id], limit);
        }
    }

    /** Streams bound, failed ones included. */
    int count() {
        return count;
    }

    /** Stream number {@code i} in the order of binding. */
    Stream at(int i) {
        return inOrder[i];
    }
}
