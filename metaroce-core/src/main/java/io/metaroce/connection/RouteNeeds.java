package io.metaroce.connection;

import io.metaroce.num.Bits;

/** What slots in flight need of the routes of a connection. */
final class RouteNeeds {
    /** Size of the payload of the longest packets that may have to take a route. */
    @Bits(PayloadSizes.INDEX_BITS)
    byte size;

    /** Whether slots are in flight that no route in use carries, so that another one is to be found for them. */
    boolean isUnmet;

    RouteNeeds(int size) {
        set(size);
    }

    /** So much, from now on. */
    void set(int newSize) {
        size = (byte) newSize;
    }

    int payloadBytes() {
        return PayloadSizes.bytes(size);
    }
}
