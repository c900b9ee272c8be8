package io.metaroce.verbs;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the results of a completion queue to a handler, a bounded number at a time. Endpoint thread. */
final class Dispatch {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatch.class);
    /** Results in a row before packets have their turn again. */
    private static final int AT_ONCE = 256;

    private final CompletionQueue queue;
    private final Consumer<WorkCompletion> handler;
    private final WorkCompletion[] batch = WorkCompletion.array(16);
    private boolean running;

    Dispatch(CompletionQueue queue, Consumer<WorkCompletion> handler) {
        this.queue = queue;
        this.handler = handler;
    }

    void run(long nowNs) {
        if (running) {
            return;
        }
        running = true;
        try {
            int told = 0;
            int filled = queue.pollArmPoll(batch);
            while (filled != 0) {
                for (int i = 0; i < filled; i++) {
                    tell(batch[i]);
                }
                told += filled;
                if (told >= AT_ONCE) {
                    queue.dispatchLater();
                    break;
                }
                filled = queue.pollArmPoll(batch);
            }
        } finally {
            running = false;
        }
        queue.device().host().signal();
    }

    private void tell(WorkCompletion completion) {
        queue.device().engine().listening(() -> {
            try {
                handler.accept(completion);
            } catch (RuntimeException e) {
                // What is wrong with the application must not stop the endpoint.
                LOG.error("the handler failed on: {}", completion, e);
            }
        });
    }
}
