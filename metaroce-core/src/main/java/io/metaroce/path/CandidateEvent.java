package io.metaroce.path;

/** What happens to the candidate route of a path. */
public enum CandidateEvent {
    /** A route of the path's own is wanted. */
    WANTED,
    /** The newest challenge was echoed. */
    ECHOED,
    /** The answer is too old to be relied on. */
    EXPIRED,
    /** The path has moved to it, or wants none any more. */
    DONE
}
