package io.metaroce.verbs;

import io.metaroce.engine.EndpointHost;
import io.metaroce.queue.Call;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries the results of one queue to a handler, on the endpoint's thread. */
final class Delivery {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
    private static final int BATCH = 64;
    /** Results in a row before packets have their turn again. */
    private static final int AT_ONCE = 512;

    private final CompletionQueue queue;
    private final EndpointHost host;
    private final CompletionHandler handler;
    private final Call call;
    private final WorkCompletion[] batch = WorkCompletion.array(BATCH);
    private final Runnable rounds = this::deliverAll;

    /** Takes a place at the doorbells of {@code host}. Endpoint thread. */
    Delivery(CompletionQueue queue, EndpointHost host, EngineThread engine, CompletionHandler handler) {
        this.queue = queue;
        this.host = host;
        this.handler = handler;
        this.call = new Call(host.doorbells(), nowNs -> engine.listening(rounds));
    }

    /** Results may be there. */
    void ring() {
        call.ring();
    }

    /** Delivers nothing any more. Endpoint thread. */
    void retire() {
        call.retire();
    }

    /** Until nothing is there and the queue is armed, so that no result is overlooked, or later once more. */
    private void deliverAll() {
        int told = 0;
        for (int count = queue.pollArmPoll(batch); count != 0; count = queue.pollArmPoll(batch)) {
            tell(count);
            told += count;
            if (told >= AT_ONCE) {
                call.ring();
                break;
            }
        }
        // Whoever waits for what the handler has done looks again.
        host.signal();
    }

    /** Tells one result. */
    static void tell(Consumer<WorkCompletion> handler, WorkCompletion result) {
        try {
            handler.accept(result);
        } catch (RuntimeException e) {
            // What is wrong with the application must not stop the endpoint.
            LOG.error("the handler failed on: {}", result, e);
        }
    }

    private void tell(int count) {
        try {
            handler.completed(batch, count);
        } catch (RuntimeException e) {
            // What is wrong with the application must not stop the endpoint.
            LOG.error("the handler of {} failed on {} results, the first: {}", queue, count, batch[0], e);
        }
    }
}
