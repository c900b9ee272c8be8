package io.metaroce.path;

/** What is known of the route a path would like to move to. */
public enum CandidateState {
    /** There is none. */
    NONE,
    /** It has been challenged and has not answered. */
    PROBING,
    /** It has answered a moment ago. */
    VALID
}
