package io.metaroce.rate;

/** Where it is said that a sender's share has grown and no acknowledgement has told it yet. */
public interface HintNews {
    /** Tells the sender soon, in a report of its own if none is due. */
    void shareGrew();
}
