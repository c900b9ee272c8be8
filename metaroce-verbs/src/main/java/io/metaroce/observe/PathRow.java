package io.metaroce.observe;

import io.metaroce.engine.PathView;

/**
 * A path in JMX.
 *
 * @param connection number of its connection here, eight hexadecimal digits
 * @param path its number
 * @param state ACTIVE, SUSPECT, …
 * @param plane plane of its route
 * @param entropy source-port index of its route
 * @param borrowed whether the route is another path's
 * @param rttNs smoothed round-trip time, in ns
 * @param windowBytes congestion window
 * @param inFlightBytes bytes in flight, as the window counts them
 * @param sent slot packets sent, resends included
 * @param resent slot packets sent again
 * @param marks packets the receiver got with a congestion mark
 */
public record PathRow(
        String connection,
        int path,
        String state,
        int plane,
        int entropy,
        boolean borrowed,
        long rttNs,
        long windowBytes,
        long inFlightBytes,
        long sent,
        long resent,
        long marks) {
    static PathRow of(int connection, PathView view) {
        return new PathRow(
                ConnectionRow.name(connection),
                view.id(),
                view.state(),
                view.plane(),
                view.entropy(),
                view.borrowed(),
                view.srttNs(),
                view.windowBytes(),
                view.inFlightBytes(),
                view.sentPackets(),
                view.resentPackets(),
                view.marks());
    }
}
