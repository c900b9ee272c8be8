package io.metaroce.path;

/** What happens to the state of a path. */
public enum PathEvent {
    /** A challenge for its plane or for its candidate route was echoed. */
    CANDIDATE_ECHOED,
    /** Silent while others delivered, or a probe timeout. */
    SILENT,
    /** Delivery evidence in the current epoch. */
    DELIVERED,
    /** The failure is confirmed and a healthy path lends its route. */
    CONFIRMED_WITH_DONOR,
    /** The failure is confirmed and there is nothing to borrow. */
    CONFIRMED_ALONE,
    /** A voluntary move is wanted. */
    LEAVE_WANTED,
    /** Nothing is unacknowledged any more. */
    DRAINED,
    /** The route it wanted to move to is not relied on any more. */
    CANDIDATE_EXPIRED,
    /** The operator parked it. */
    PARKED
}
