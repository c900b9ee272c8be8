package io.metaroce.async;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The futures of one work queue, each in the place that its work request carries as a number. Bounded. */
final class Tickets {
    private final AtomicReferenceArray<@Nullable CompletableFuture<Result>> waiting;
    private final ConcurrentLinkedQueue<Integer> free = new ConcurrentLinkedQueue<>();

    Tickets(int count) {
        waiting = new AtomicReferenceArray<>(count);
        for (int i = 0; i < count; i++) {
            free.add(i);
        }
    }

    /** A place, or -1 when all are taken. */
    int take(CompletableFuture<Result> future) {
        Integer place = free.poll();
        if (place == null) {
            return -1;
        }
        waiting.set(place, future);
        return place;
    }

    /** The future of this place, which is free again; null when nobody waits there. */
    @Nullable
    CompletableFuture<Result> give(int place) {
        CompletableFuture<Result> future = waiting.getAndSet(place, null);
        if (future != null) {
            free.add(place);
        }
        return future;
    }

    boolean isFull() {
        return free.isEmpty();
    }

    int inFlight() {
        return waiting.length() - free.size();
    }

    /** All futures that nobody has completed; the places are free again. */
    List<CompletableFuture<Result>> giveAll() {
        List<CompletableFuture<Result>> all = new ArrayList<>();
        for (int i = 0; i < waiting.length(); i++) {
            CompletableFuture<Result> future = give(i);
            if (future != null) {
                all.add(future);
            }
        }
        return all;
    }
}
