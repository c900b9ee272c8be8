package io.metaroce.rate;

/**
 * What the losses that a signal tells say about the network. A path of which nothing was heard for a whole probe
 * timeout tells nothing: that is {@link CongestionControl#onTimeout}.
 */
enum LossClass {
    /** Nothing was lost. */
    NONE,
    /** No mark and no queue on the path: a broken bit or a flapping link, not a full queue. */
    RANDOM,
    /** A queue was full. */
    CONGESTIVE
}
