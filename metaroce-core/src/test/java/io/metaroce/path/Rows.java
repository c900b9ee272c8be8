package io.metaroce.path;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;

/** Rows of paths that have not sent anything, for tests of one part. */
final class Rows {
    private Rows() {}

    /** The row of path {@code id}. */
    static PathRow of(int id) {
        return new PathRow(id, new Route(0, 5, Address.ipv4(1, 1)));
    }

    /** The row of a path with a first round-trip time. */
    static PathRow withRtt(long firstNs) {
        PathRow row = of(1);
        RttEstimator.restart(row, firstNs);
        return row;
    }
}
