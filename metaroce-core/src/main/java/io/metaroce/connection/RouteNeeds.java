package io.metaroce.connection;

import io.metaroce.num.Bits;

/** What slots in flight need of the routes of a connection. */
final class RouteNeeds {
    /** Payload of the longest packets that may have to take a route. */
    @Bits(14)
    int payloadBytes;

    /** Whether slots are in flight that no route in use carries, so that another one is to be found for them. */
    boolean isUnmet;

    RouteNeeds(int payloadBytes) {
        this.payloadBytes = payloadBytes;
    }
}
