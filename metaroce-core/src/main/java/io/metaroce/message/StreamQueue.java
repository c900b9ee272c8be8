package io.metaroce.message;

import org.jspecify.annotations.Nullable;

/** Streams in the order they came in, each at most once. */
final class StreamQueue {
    private final @Nullable Stream[] ring;
    private final boolean[] isInside; // by stream id
    private int head;
    private int size;

    /** A queue for streams with ids below {@code streams}. */
    StreamQueue(int streams) {
        ring = new Stream[streams];
        isInside = new boolean[streams];
    }

    boolean isEmpty() {
        return size == 0;
    }

    boolean contains(Stream stream) {
        return isInside[stream.id];
    }

    /** Puts a stream at the end unless it is inside; returns whether it was put. */
    boolean add(Stream stream) {
        if (isInside[stream.id]) {
            return false;
        }
        isInside[stream.id] = true;
        int tail = head + size;
        ring[tail < ring.length ? tail : tail - ring.length] = stream;
        size++;
        return true;
    }

    /** The first one, or null. */
    @Nullable
    Stream first() {
        return size == 0 ? null : ring[head];
    }

    /** Takes the first one out. */
    void removeFirst() {
        Stream stream = ring[head];
        if (stream != null) {
            isInside[stream.id] = false;
            ring[head] = null;
            head = head + 1 == ring.length ? 0 : head + 1;
            size--;
        }
    }

    /** Takes a stream out, wherever it stands. */
    void remove(Stream stream) {
        for (int left = size; left > 0 && isInside[stream.id]; left--) {
            if (first() == stream) {
                removeFirst();
            } else {
                rotate();
            }
        }
    }

    /** Puts the first one behind all others. */
    void rotate() {
        Stream stream = first();
        if (stream != null) {
            removeFirst();
            add(stream);
        }
    }
}
