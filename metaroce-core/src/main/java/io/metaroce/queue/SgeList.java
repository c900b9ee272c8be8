package io.metaroce.queue;

/** The scatter-gather entries of a work request, whichever way its bytes go. */
public interface SgeList {
    /** Key of entry {@code i}. */
    int lkey(int i);

    /** First byte of entry {@code i}, counted from the start of its region. */
    long offset(int i);

    /** Bytes of entry {@code i}. */
    int length(int i);
}
