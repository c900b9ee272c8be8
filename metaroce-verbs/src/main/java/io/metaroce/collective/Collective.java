package io.metaroce.collective;

/** What ranks do together. Block r of a vector is its r-th part of as many as there are ranks. */
public enum Collective {
    /** Every rank's data become the sum of all. */
    ALL_REDUCE,
    /** Block r of the data of rank r becomes the sum of all; its other blocks are left in an undefined state. */
    REDUCE_SCATTER,
    /** Every rank gets block r of rank r. */
    ALL_GATHER,
    /** Every rank gets the data of the root. */
    BROADCAST,
    /** Block s of the result of rank r becomes block r of the data of rank s. */
    ALL_TO_ALL,
    /** Nobody is done before everybody has begun. */
    BARRIER
}
