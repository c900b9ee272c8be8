package io.metaroce.collective;

/** The three buffers that a rank has. */
public enum Buffer {
    /** What the application gives; also what it gets, except from an all-to-all. */
    DATA,
    /** What the application gets from an all-to-all. */
    RESULT,
    /** What nobody else looks at. */
    SCRATCH
}
