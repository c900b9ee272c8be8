package io.metaroce.connection;

/** What happens in the search for how much a packet may carry. */
public enum PayloadEvent {
    /** The size asked for was echoed; while raising, on every active path. */
    CARRIED,
    /** It was not, time and again. */
    MISSED,
    /** A path loses more than chance does. */
    LOSSES,
    /** It is time to look for a larger size. */
    RAISE_DUE,
    /** The dead time is over: what is too long for every route is given up. */
    GIVEN_UP
}
