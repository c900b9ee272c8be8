package io.metaroce.queue;

/**
 * Port: wakes whoever waits for completions. Called on the endpoint's thread, once per arming.
 *
 * <p>A signal may come while a waiter is still on its way, and one arming may stand for several waiters. So count
 * signals: a waiter notes the count, arms, takes once more, and waits only while the count stands; a signal wakes all.
 */
@FunctionalInterface
public interface CompletionSignal {
    /** The completion queue was armed and what it was armed for has come. Must not block. */
    void signal();
}
