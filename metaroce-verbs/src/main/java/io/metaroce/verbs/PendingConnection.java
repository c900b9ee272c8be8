package io.metaroce.verbs;

import io.metaroce.param.CloseReason;
import java.time.Duration;

/** A connection that was asked for and is not there yet. */
public final class PendingConnection {
    /** The network is asked for the first time when nothing came back for so long. */
    private static final long FIRST_LOOK_NS = 200_000_000;
    /** Asking the network takes this long at most. */
    private static final long LOOK_NS = 200_000_000;

    private static final byte[] NOTHING = {};

    private final Device device;
    private final Connection connection;

    PendingConnection(Device device, Connection connection) {
        this.device = device;
        this.connection = connection;
    }

    /** Whether it stands or failed, so that {@link #await} answers at once. */
    public boolean isDone() {
        return !connection.isConnecting();
    }

    /**
     * Waits until the connection stands. When that fails, or the time is over, the attempt is at its end and its queue
     * pairs are in {@link QpState#ERR}; to try again, reset them.
     *
     * @throws VerbsConnectException says why there is no connection
     */
    public Connection await(Duration timeout) throws VerbsConnectException {
        long timeoutNs = Durations.toNanos(timeout);
        long beganNs = device.engine().nowNs(connection);
        long stepNs = Math.min(FIRST_LOOK_NS, timeoutNs / 2);
        while (!waited(stepNs)) {
            long leftNs = timeoutNs - (device.engine().nowNs(connection) - beganNs);
            String trouble = leftNs > 0 ? device.host().diagnose(connection.peer(), Math.min(LOOK_NS, leftNs)) : null;
            if (!isDone() && trouble != null) {
                throw givenUp(ConnectFailure.PORT_UNREACHABLE, timeout, trouble);
            }
            leftNs = timeoutNs - (device.engine().nowNs(connection) - beganNs);
            if (!isDone() && leftNs <= 0) {
                throw givenUp(ConnectFailure.TIMED_OUT, timeout, ConnectFailure.TIMED_OUT.sentence());
            }
            stepNs = Math.max(0, Math.min(leftNs, 4 * stepNs));
        }
        Connection.End end = connection.end();
        if (end != null) {
            throw failed(end);
        }
        return connection;
    }

    /** Gives the attempt up. */
    public void cancel() {
        connection.giveUp();
    }

    private boolean waited(long ns) {
        return device.engine().await(connection, "connect", this::isDone, ns);
    }

    private VerbsConnectException givenUp(ConnectFailure failure, Duration timeout, String detail) {
        connection.giveUp();
        Connection.End end = connection.end();
        Duration waited = end == null ? timeout : Duration.ofNanos(end.afterNs());
        return new VerbsConnectException(failure, connection.peer(), waited, null, NOTHING, detail);
    }

    private VerbsConnectException failed(Connection.End end) {
        return new VerbsConnectException(
                failureOf(end.reason()),
                connection.peer(),
                Duration.ofNanos(end.afterNs()),
                end.reason(),
                connection.privateData(),
                Texts.of(end.reason(), end.detail()));
    }

    static ConnectFailure failureOf(CloseReason reason) {
        return switch (reason) {
            case CONNECT_TIMEOUT, PEER_DEAD, CLOSE_TIMEOUT -> ConnectFailure.TIMED_OUT;
            case REJECTED_NO_SERVICE -> ConnectFailure.NO_SERVICE;
            case REJECTED_VERSION,
                    REJECTED_FEATURE,
                    REJECTED_RESOURCES,
                    REJECTED_REFUSED,
                    REJECTED_PARAMETER,
                    REJECTED_STALE,
                    REJECTED_INTEGRITY -> ConnectFailure.REJECTED;
            case LOCAL_CLOSE, LOCAL_ABORT, PEER_CLOSE, PEER_ABORT, PROTOCOL_ERROR, NO_RESOURCES, PEER_RESTARTED ->
                ConnectFailure.ABANDONED;
        };
    }

    @Override
    public String toString() {
        return "pending " + connection;
    }
}
