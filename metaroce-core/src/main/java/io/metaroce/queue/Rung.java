package io.metaroce.queue;

/** Called on the endpoint's thread when a ring has news. */
@FunctionalInterface
public interface Rung {
    /** The ring was rung since the last call; may be called without news. */
    void onRung(long nowNs);
}
