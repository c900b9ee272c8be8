package io.metaroce.connection;

import static io.metaroce.connection.ConnectionEvent.ACCEPTED_BY_APPLICATION;
import static io.metaroce.connection.ConnectionEvent.ACCEPT_RECEIVED;
import static io.metaroce.connection.ConnectionEvent.CLOSE_WANTED;
import static io.metaroce.connection.ConnectionEvent.CONFIRMED;
import static io.metaroce.connection.ConnectionEvent.OVER;
import static io.metaroce.connection.ConnectionEvent.PEER_DONE;
import static io.metaroce.connection.ConnectionEvent.WORK_DONE;
import static io.metaroce.connection.ConnectionState.ACCEPTED;
import static io.metaroce.connection.ConnectionState.CLOSING;
import static io.metaroce.connection.ConnectionState.DRAINING;
import static io.metaroce.connection.ConnectionState.ESTABLISHED;
import static io.metaroce.connection.ConnectionState.PENDING;
import static io.metaroce.connection.ConnectionState.QUIESCING;
import static io.metaroce.connection.ConnectionState.REQ_SENT;
import static io.metaroce.connection.ConnectionState.TOMBSTONE;

import io.metaroce.state.TransitionTable;
import java.util.EnumSet;

/** The table of connection states. */
public final class ConnectionStates {
    /** Every transition there is; a pair that is not listed is refused. */
    public static final TransitionTable<ConnectionState, ConnectionEvent> TABLE = TransitionTable.of(
                    ConnectionState.class, ConnectionEvent.class)
            .on(ACCEPT_RECEIVED, EnumSet.of(REQ_SENT), ESTABLISHED)
            .on(ACCEPTED_BY_APPLICATION, EnumSet.of(PENDING), ACCEPTED)
            .on(CONFIRMED, EnumSet.of(ACCEPTED), ESTABLISHED)
            .on(CLOSE_WANTED, EnumSet.of(ESTABLISHED), QUIESCING)
            .on(WORK_DONE, EnumSet.of(QUIESCING), CLOSING)
            .on(PEER_DONE, EnumSet.of(ESTABLISHED, QUIESCING, DRAINING), DRAINING)
            .on(OVER, EnumSet.complementOf(EnumSet.of(TOMBSTONE)), TOMBSTONE)
            .build();

    private ConnectionStates() {}
}
