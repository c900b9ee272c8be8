package io.metaroce.memory;

/** Why bytes may not be placed or read; the first check that fails. */
public enum PlacementFault {
    /** Nothing is wrong. */
    NONE,
    /** No region has this key, or the region that had it is gone. */
    KEY,
    /** The region belongs to another protection domain. */
    DOMAIN,
    /** The region does not allow it. */
    ACCESS,
    /** Some of the bytes lie outside the region. */
    BOUNDS,
    /** The address of an atomic is not a multiple of 8. */
    ALIGNMENT
}
