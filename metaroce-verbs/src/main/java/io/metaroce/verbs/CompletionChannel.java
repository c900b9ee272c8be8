package io.metaroce.verbs;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Several completion queues of one device, waited for together by one thread.
 *
 * <p>There is nothing to arm, to acknowledge or to look at again: {@link #await} does that in the right order.
 */
public final class CompletionChannel {
    private final List<CompletionQueue> queues;
    private final Device device;
    private final AtomicInteger turn = new AtomicInteger();

    private CompletionChannel(List<CompletionQueue> queues) {
        this.queues = queues;
        device = queues.get(0).device();
    }

    /** A channel over these queues. */
    public static CompletionChannel over(CompletionQueue... queues) {
        List<CompletionQueue> all = List.of(queues);
        if (all.isEmpty()
                || all.stream().anyMatch(queue -> queue.device() != all.get(0).device())) {
            throw new VerbsException(
                    "CompletionChannel",
                    "a channel over " + all,
                    "one or more queues of the same device",
                    "make one channel for each device");
        }
        return new CompletionChannel(all);
    }

    /** The queues, in the order given. */
    public List<CompletionQueue> queues() {
        return queues;
    }

    /**
     * Fetches results from whichever queues have some; if none has, sleeps until one does, at most for {@code timeout}.
     * No queue is favoured.
     *
     * @return how many elements of {@code into} were filled; 0 when the time is over
     */
    public int await(WorkCompletion[] into, Duration timeout) {
        int[] filled = {0};
        device.engine().await(this, "await", () -> (filled[0] = pollArmPoll(into)) != 0, Durations.toNanos(timeout));
        return filled[0];
    }

    private int pollArmPoll(WorkCompletion[] into) {
        int first = Math.floorMod(turn.getAndIncrement(), queues.size());
        int filled = 0;
        for (int i = 0; i < queues.size(); i++) {
            filled += queues.get((first + i) % queues.size()).poll(into, filled);
        }
        for (int i = 0; filled == 0 && i < queues.size(); i++) {
            filled = queues.get((first + i) % queues.size()).pollArmPoll(into);
        }
        return filled;
    }

    @Override
    public String toString() {
        return "channel over " + queues;
    }
}
