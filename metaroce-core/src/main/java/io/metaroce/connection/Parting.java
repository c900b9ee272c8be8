package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.num.Deadline;
import io.metaroce.param.CloseReason;
import io.metaroce.param.LivenessConfig;
import io.metaroce.wire.CloseHeader;
import org.jspecify.annotations.Nullable;

/** How a connection ends: what the packets of a close mean in which state, and when it is over and forgotten. */
final class Parting {
    private static final byte[] NOTHING = new byte[0];

    private final LivenessConfig config;
    private final StreamLife life;
    private final Ending ending = new Ending();
    private final Scratch scratch;
    private @Nullable Agreement agreement; // null while no peer may take the connection for established
    private @Nullable Seal seal;
    private @Nullable Closing closing; // made for the first packet
    private int planes = Handshaking.PLANES; // where packets may go once there is no traffic

    Parting(LivenessConfig config, StreamLife life, Scratch scratch) {
        this.config = config;
        this.life = life;
        this.scratch = scratch;
    }

    void on(ConnectionEvent event) {
        ending.on(event);
    }

    /** There is a peer now that may have to be told. */
    void peer(Agreement agreed, Seal by) {
        agreement = agreed;
        seal = by;
    }

    private boolean hasPeer() {
        return agreement != null;
    }

    /** The packets of the close, or null when there is nobody to tell. */
    private @Nullable Closing closing() {
        if (closing == null && agreement != null && seal != null) {
            closing = new Closing(config, agreement, seal, scratch);
        }
        return closing;
    }

    /** Where the peer was reached last. */
    void reachable(int planesOfTheEnd) {
        planes = planesOfTheEnd;
    }

    // ---- the application

    /** The application wants a graceful close: own work finishes first. */
    void wanted(long nowNs, Connection connection) {
        quiesce(nowNs, ConnectionEvent.CLOSE_WANTED, connection);
        progress(nowNs, connection);
    }

    private void quiesce(long nowNs, ConnectionEvent why, Connection connection) {
        life.stopAccepting(nowNs);
        connection.on(why);
        ending.startQuiescing(nowNs + config.quiesceNs());
    }

    // ---- the peer

    void onClose(long nowNs, CloseHeader close, Connection connection) {
        Closing answers = closing();
        if (answers == null) {
            return;
        }
        if ((close.flags() & CloseHeader.ABORT) != 0) {
            answers.answer(close, Closing.Finality.FINAL);
            connection.end(nowNs, CloseReason.PEER_ABORT, CloseCodes.describe(close.code()), NOTHING);
            return;
        }
        // R-CONN-009: neither side forgets the connection while accepted work of the other is open.
        if (connection.state() != ConnectionState.CLOSING && life.hasWork()) {
            answers.answer(close, Closing.Finality.PENDING);
            quiesce(nowNs, ConnectionEvent.PEER_DONE, connection);
            return;
        }
        answers.answer(close, Closing.Finality.FINAL);
        connection.end(nowNs, whoClosed(), "", NOTHING);
    }

    void onCloseAnswer(long nowNs, CloseHeader answer, Connection connection) {
        Closing asked = closing;
        if (asked == null
                || connection.state() != ConnectionState.CLOSING
                || answer.closeId() != connection.localId()) {
            return;
        }
        if ((answer.flags() & CloseHeader.PENDING) != 0) {
            asked.onPending(nowNs);
        } else {
            connection.end(nowNs, CloseReason.LOCAL_CLOSE, "", NOTHING);
        }
    }

    /** A CLOSE for a connection that is gone is answered once more; whether there is anything to answer with. */
    boolean onLateClose(CloseHeader close) {
        Closing answers = closing();
        if (answers != null) {
            answers.answer(close, Closing.Finality.FINAL);
        }
        return answers != null;
    }

    /** The peer knows that the connection is gone; whether it was told. */
    boolean onLateAnswer() {
        if (closing != null) {
            closing.stopAsking();
        }
        return hasPeer();
    }

    // ---- going on

    /** Goes on with a close as soon as nothing is left to wait for. */
    void progress(long nowNs, Connection connection) {
        ConnectionState state = connection.state();
        if (!hasPeer() || state == ConnectionState.TOMBSTONE) {
            buryWhenDue(nowNs, connection);
            return;
        }
        if (state == ConnectionState.ESTABLISHED) {
            return;
        }
        Closing c = closing();
        if (c == null) {
            return;
        }
        boolean idle = !life.hasWork();
        if (state == ConnectionState.QUIESCING && idle) {
            connection.on(ConnectionEvent.WORK_DONE);
            c.ask(nowNs, CloseHeader.NORMAL, 0);
        } else if (state == ConnectionState.DRAINING && idle) {
            c.answerFinally();
            connection.end(nowNs, whoClosed(), "", NOTHING);
        } else if (ending.isQuiesceDue(nowNs) || c.isExhausted(nowNs)) {
            connection.fail(nowNs, CloseReason.CLOSE_TIMEOUT, CloseHeader.APPLICATION_ABORT, "");
        }
    }

    /** The connection is over; {@code remembered} says whether a late packet of its handshake means something. */
    void over(long nowNs, boolean remembered) {
        if (closing != null) {
            closing.stopAsking();
        }
        ending.startTombstone(hasPeer() || remembered ? nowNs + config.tombstoneNs() : nowNs);
    }

    /** Tells the peer that the connection is gone, as often as needed. */
    void tell(long nowNs, int code) {
        Closing asks = closing();
        if (asks != null) {
            asks.ask(nowNs, code, CloseHeader.ABORT);
        }
    }

    private CloseReason whoClosed() {
        return ending.isOurs() ? CloseReason.LOCAL_CLOSE : CloseReason.PEER_CLOSE;
    }

    private void buryWhenDue(long nowNs, Connection connection) {
        if (closing != null && closing.isExhausted(nowNs)) {
            closing.stopAsking();
        }
        if (ending.isForgetDue(nowNs)) {
            connection.forget();
        }
    }

    // ---- packets and time

    /** Whether a packet of the close should leave now. */
    boolean isDue(long nowNs) {
        return closing != null && closing.isDue(nowNs);
    }

    /** Writes it to one of the planes that reach the peer and have room; false when there is none. */
    boolean write(long nowNs, int planesWithRoom, @Nullable Traffic traffic, Transmit out) {
        int toPeer = traffic == null ? planes : traffic.usablePlanes();
        return closing != null && closing.write(nowNs, toPeer & planesWithRoom, out);
    }

    /** When patience or memory ends. */
    long timersNs() {
        return ending.deadlineNs();
    }

    /** When a packet of the close is due again. */
    long resendNs() {
        return closing == null ? Deadline.NEVER : closing.deadlineNs();
    }
}
