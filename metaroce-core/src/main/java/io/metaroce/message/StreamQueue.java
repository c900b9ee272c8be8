package io.metaroce.message;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Streams in the order they came in, each at most once. Most connections have one: there are few places at first, and
 * as many as there are streams at most.
 */
final class StreamQueue {
    private static final int PLACES_AT_FIRST = 4;

    private @Nullable Stream[] ring = new Stream[PLACES_AT_FIRST];
    private boolean[] isInside = new boolean[PLACES_AT_FIRST]; // by stream id
    private int head;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    boolean contains(Stream stream) {
        return stream.id < isInside.length && isInside[stream.id];
    }

    /** Puts a stream at the end unless it is inside; returns whether it was put. */
    boolean add(Stream stream) {
        if (contains(stream)) {
            return false;
        }
        makeRoom(stream.id);
        isInside[stream.id] = true;
        int tail = head + size;
        ring[tail < ring.length ? tail : tail - ring.length] = stream;
        size++;
        return true;
    }

    private void makeRoom(int id) {
        if (id >= isInside.length) {
            isInside = Arrays.copyOf(isInside, Integer.highestOneBit(id) * 2);
        }
        if (size == ring.length) {
            @Nullable Stream[] wider = new Stream[2 * size];
            for (int i = 0; i < size; i++) {
                wider[i] = ring[(head + i) % size];
            }
            ring = wider;
            head = 0;
        }
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
        for (int left = size; left > 0 && contains(stream); left--) {
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
