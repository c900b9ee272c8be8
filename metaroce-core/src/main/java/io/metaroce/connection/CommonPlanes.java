package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.wire.ConnectParameters;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The planes that both sides of a connection have, and where the peer receives on each. Their numbers may have holes:
 * plane k leads from the own address k to the peer's address k, whatever either side has beside it. Never changes.
 */
public final class CommonPlanes {
    private final @Nullable Address[] addresses; // by plane, up to the highest both have
    private final int bits;

    private CommonPlanes(@Nullable Address[] addresses, int bits) {
        this.addresses = addresses;
        this.bits = bits;
    }

    /**
     * What follows from the peer's words.
     *
     * @param own planes this side has: 0 to {@code own - 1}; 1 to 16
     * @param peer what the peer says; it has plane 0
     */
    static CommonPlanes of(int own, ConnectParameters peer) {
        @Nullable Address[] addresses = new Address[own];
        int bits = 0;
        for (ConnectParameters.PlaneAddress one : peer.planes()) {
            if (one.plane() < own) {
                addresses[one.plane()] = one.address();
                bits |= 1 << one.plane();
            }
        }
        int width = Integer.SIZE - Integer.numberOfLeadingZeros(bits);
        return new CommonPlanes(Arrays.copyOf(addresses, width), bits);
    }

    /** How many there are; at least 1. */
    int count() {
        return Integer.bitCount(bits);
    }

    /** No plane of both sides has a number as high as this. */
    int width() {
        return addresses.length;
    }

    /** Bit k: both sides have plane k. */
    int bits() {
        return bits;
    }

    /** Whether both sides have a plane. */
    boolean has(int plane) {
        return ((bits >>> plane) & 1) != 0;
    }

    /** Where the peer receives on a plane that both sides have. */
    Address get(int plane) {
        Address address = plane < addresses.length ? addresses[plane] : null;
        if (address == null) {
            throw new IllegalArgumentException("plane " + plane + ": both sides have 0x" + Integer.toHexString(bits));
        }
        return address;
    }

    /** The planes one after the other, and round: for 0 the lowest. */
    int inTurn(int turn) {
        int left = bits;
        for (int i = turn % count(); i > 0; i--) {
            left &= left - 1;
        }
        return Integer.numberOfTrailingZeros(left);
    }
}
