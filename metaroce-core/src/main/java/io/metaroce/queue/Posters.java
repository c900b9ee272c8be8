package io.metaroce.queue;

/** How many threads post to a ring at the same time. */
public enum Posters {
    /** Any number. */
    MANY,
    /** One; the application promises it, and the ring is cheaper for it. */
    ONE
}
