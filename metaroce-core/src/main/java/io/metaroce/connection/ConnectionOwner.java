package io.metaroce.connection;

import io.metaroce.param.CloseReason;
import io.metaroce.wire.ConnectParameters;

/** What a connection tells the endpoint that holds it. */
public interface ConnectionOwner {
    /** The connection may have something to send, or wants to be called at another time. */
    void changed(Connection connection);

    /** Both sides agree: the streams learn the limits before anything is sent. */
    void agreed(long nowNs, Connection connection, Agreement agreement, ConnectParameters peer);

    /** Data may flow. */
    void established(long nowNs, Connection connection, byte[] privateData);

    /** A path has lost the route of its own and borrows one or stands still, or it has a route of its own again. */
    void routeMoved(long nowNs, Connection connection, int path, boolean isOwn);

    /** The connection is gone for the application: flush what is outstanding and tell it. Called once. */
    void gone(long nowNs, Connection connection, CloseReason reason, String detail, byte[] privateData);

    /** Nothing is left to say: the connection may be forgotten. Called once, not before {@link #gone}. */
    void forget(Connection connection);
}
