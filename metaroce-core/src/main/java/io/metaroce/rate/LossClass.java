package io.metaroce.rate;

/** What a loss says about the network. */
public enum LossClass {
    /** Nothing was lost. */
    NONE,
    /** No mark and no queue on the path: a broken bit or a flapping link, not a full queue. */
    RANDOM,
    /** A queue was full. */
    CONGESTIVE,
    /** Nothing was heard of the path for a whole probe timeout. */
    SEVERE
}
