package io.metaroce.verbs;

/**
 * What happens to connections, in the words of the RDMA connection manager; values as in {@code rdma_cm_event_type}.
 */
public enum CmEvent {
    /** 0; addresses are resolved at once, so it is never told. */
    ADDR_RESOLVED,
    /** 1; likewise: {@link Connector} throws. */
    ADDR_ERROR,
    /** 2; routes are found while the connection is made. */
    ROUTE_RESOLVED,
    /** 3; likewise. */
    ROUTE_ERROR,
    /** 4: a peer asks for a connection; {@link Listener#poll} has it. */
    CONNECT_REQUEST,
    /** 5; not used: whoever connects answers by itself. */
    CONNECT_RESPONSE,
    /** 6: an attempt was given up by this side, or for want of room. */
    CONNECT_ERROR,
    /** 7: an attempt ended because nothing came back. */
    UNREACHABLE,
    /** 8: an attempt was refused by the peer; reason and private data are with the connection. */
    REJECTED,
    /** 9: a connection stands. */
    ESTABLISHED,
    /** 10: a connection that stood is gone, whoever ended it. */
    DISCONNECTED,
    /** 11; not used: a device goes by being closed. */
    DEVICE_REMOVAL,
    /** 12; there is no multicast. */
    MULTICAST_JOIN,
    /** 13; likewise. */
    MULTICAST_ERROR,
    /** 14; not used: paths change their routes by themselves, see {@link AsyncEvent.PathDown}. */
    ADDR_CHANGE,
    /** 15; not told: numbers of connections are drawn at random and never wait. */
    TIMEWAIT_EXIT;

    /** The number in librdmacm. */
    @SuppressWarnings("EnumOrdinal")
    public int value() {
        return ordinal();
    }

    /** The name in librdmacm. */
    public String text() {
        return "RDMA_CM_EVENT_" + name();
    }

    /** What librdmacm calls a failure to connect. */
    public static CmEvent of(ConnectFailure failure) {
        return switch (failure) {
            case PORT_UNREACHABLE, TIMED_OUT -> UNREACHABLE;
            case NO_SERVICE, REJECTED -> REJECTED;
            case ABANDONED -> CONNECT_ERROR;
        };
    }
}
