package io.metaroce.queue;

/** Port: wakes the endpoint's thread. Implemented by event loops and by the simulator's hosts. */
@FunctionalInterface
public interface Doorbell {
    /** Makes the endpoint's thread look at its doorbells soon. Any thread; at most one is under way at a time. */
    void ring();
}
