package io.metaroce.message;

import org.jspecify.annotations.Nullable;

/** Streams in the order they came in, each at most once: a chain that runs through the streams, so it is never full. */
final class StreamQueue {
    /** What streams may be queued for. A stream can be in one queue of each kind. */
    enum Kind {
        /** To send. */
        READY,
        /** To answer requests of the peer. */
        ANSWERS,
        /** To be told about. */
        NEWS,
        /** To be told about once more. */
        NEWS_AGAIN;

        /** How many kinds there are. */
        static final int COUNT = 4;
    }

    private final int kind;
    private final int bit;
    private @Nullable Stream first;
    private @Nullable Stream last;

    @SuppressWarnings("EnumOrdinal") // it is a place in a small array
    StreamQueue(Kind kind) {
        this.kind = kind.ordinal();
        this.bit = 1 << kind.ordinal();
    }

    boolean isEmpty() {
        return first == null;
    }

    boolean contains(Stream stream) {
        return (stream.queued & bit) != 0;
    }

    /** Puts a stream at the end unless it is inside; returns whether it was put. */
    boolean add(Stream stream) {
        if (contains(stream)) {
            return false;
        }
        stream.queued |= (byte) bit;
        if (last == null) {
            first = stream;
        } else {
            last.next[kind] = stream;
        }
        last = stream;
        return true;
    }

    /** The first one, or null. */
    @Nullable
    Stream first() {
        return first;
    }

    /** Takes the first one out. */
    void removeFirst() {
        Stream stream = first;
        if (stream != null) {
            first = stream.next[kind];
            leave(stream, null);
        }
    }

    /** Takes a stream out, wherever it stands. */
    void remove(Stream stream) {
        if (!contains(stream)) {
            return;
        }
        Stream before = null;
        for (Stream at = first; at != null && at != stream; at = at.next[kind]) {
            before = at;
        }
        if (before == null) {
            first = stream.next[kind];
        } else {
            before.next[kind] = stream.next[kind];
        }
        leave(stream, before);
    }

    private void leave(Stream stream, @Nullable Stream before) {
        if (last == stream) {
            last = before;
        }
        stream.next[kind] = null;
        stream.queued &= (byte) ~bit;
    }

    /** Puts the first one behind all others. */
    void rotate() {
        Stream stream = first;
        if (stream != null) {
            removeFirst();
            add(stream);
        }
    }
}
