package io.metaroce.collective;

/** The three buffers that a rank has. */
public enum Buffer {
    /** What the application gives; also what it gets, except from an all-to-all. */
    DATA(0),
    /** What the application gets from an all-to-all. */
    RESULT(1),
    /** What nobody else looks at. */
    SCRATCH(2);

    private final int index;

    Buffer(int index) {
        this.index = index;
    }

    /** Its place among the three. */
    public int index() {
        return index;
    }
}
