package io.metaroce.queue;

/** Something to be done on the endpoint's thread. */
@FunctionalInterface
public interface Command<E> {
    /** Runs on the endpoint's thread. */
    void run(long nowNs, E target);
}
