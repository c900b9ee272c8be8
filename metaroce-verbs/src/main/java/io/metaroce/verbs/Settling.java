package io.metaroce.verbs;

import io.metaroce.queue.Call;
import io.metaroce.queue.DoorbellQueue;
import java.util.ArrayDeque;

/**
 * Closed queue pairs of which something has come to its end: all of them are looked at together, after what the engine
 * is just doing to them, so however many end at once, the endpoint's thread is rung once.
 *
 * <p>Endpoint thread.
 */
final class Settling {
    private final ArrayDeque<QueuePair> ended = new ArrayDeque<>();
    private final Call call;

    /** Takes a place at the doorbells. Before anybody is told of the device. */
    Settling(DoorbellQueue doorbells) {
        call = new Call(doorbells, nowNs -> lookAtAll());
    }

    /** Something of a closed queue pair has come to its end. */
    void ended(QueuePair queuePair) {
        ended.add(queuePair);
        call.ring();
    }

    private void lookAtAll() {
        for (QueuePair each = ended.poll(); each != null; each = ended.poll()) {
            each.retireWhenIdle();
        }
    }
}
