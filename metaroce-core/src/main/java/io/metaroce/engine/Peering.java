package io.metaroce.engine;

import io.metaroce.connection.Agreement;
import io.metaroce.connection.Connection;
import io.metaroce.connection.ConnectionPort;
import io.metaroce.connection.Shared;
import io.metaroce.connection.StreamLife;
import io.metaroce.connection.StreamPorts;
import io.metaroce.message.StreamTable;
import io.metaroce.param.CloseReason;
import io.metaroce.queue.WcStatus;
import io.metaroce.wire.ConnectParameters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One connection in the endpoint's keeping: with its streams, its listener, and its place in list and heap. */
final class Peering implements StreamLife, Connection.StreamsMaker {
    private final Shared shared;
    private final EndpointMemory memory;
    private final TransportMemory budget;
    private final ConnectionListener listener;
    private @Nullable Connection connection;
    private @Nullable StreamTable streams;
    int ticket = DeadlineHeap.ABSENT; // of the heap of deadlines
    boolean ready;
    boolean unasked; // its timers may be others than the heap remembers
    boolean gone;
    RequestIndex.@Nullable Key request; // that made it, or null when this side asked
    private long taken; // of the memory of the endpoint

    Peering(Shared shared, EndpointMemory memory, TransportMemory budget, ConnectionListener listener) {
        this.shared = shared;
        this.memory = memory;
        this.budget = budget;
        this.listener = listener;
        take(budget.ofConnection());
    }

    private void take(long bytes) {
        budget.take(bytes);
        taken += bytes;
    }

    /** The connection is forgotten. */
    void giveMemoryBack() {
        budget.give(taken);
        taken = 0;
    }

    /** The connection has been made. */
    void attach(Connection made) {
        connection = made;
        streams().connectionId(made.localId());
    }

    @Override
    public StreamPorts make(ConnectionPort port) {
        StreamTable made = memory.streams(shared, port, new StreamFailures(shared.events(), listener));
        streams = made;
        return new StreamPorts(made.source(), made.sink(), made.updates(), made.updateSink(), this);
    }

    Connection connection() {
        if (connection == null) {
            throw new IllegalStateException("the connection is still being made");
        }
        return connection;
    }

    StreamTable streams() {
        if (streams == null) {
            throw new IllegalStateException("the connection is still being made");
        }
        return streams;
    }

    ConnectionListener listener() {
        return listener;
    }

    /** Binds queue pairs to streams and says which are open with how many receives posted. */
    List<ConnectParameters.StreamOpen> bind(long nowNs, List<StreamBinding> bindings) {
        take(budget.of(bindings));
        List<ConnectParameters.StreamOpen> open = new ArrayList<>();
        for (StreamBinding binding : bindings) {
            if (binding.deadNs() != StreamBinding.AS_SET) {
                connection().deadTime(binding.deadNs());
            }
            streams()
                    .open(
                            nowNs,
                            binding.streamId(),
                            binding.domain(),
                            binding.sends(),
                            binding.receives(),
                            binding.rnr());
            int posted = Math.min(streams().postedReceives(binding.streamId()), 0xFFFF);
            open.add(new ConnectParameters.StreamOpen(binding.streamId(), posted));
        }
        return open;
    }

    /** The limits the peer has stated, and the streams it has open. */
    void agree(long nowNs, Agreement agreement, ConnectParameters peer) {
        streams().payloadBytes(agreement.payloadBytes());
        streams().limitToPeer(peer.maxStreams(), peer.maxOpenMessages(), peer.maxMessage(), peer.maxReads());
        if ((peer.featuresSupported() & ConnectParameters.FEATURE_ORDERED) != 0) {
            int own = shared.config().connection().orderedWrites();
            streams().orderedWrites(own, peer.orderedStash());
        }
        for (ConnectParameters.StreamOpen open : peer.streamsOpen()) {
            streams().peerOpened(nowNs, open.streamId(), open.posted());
        }
    }

    /**
     * Flushes everything that is outstanding: the first request of each stream gets the reason, the rest is flushed.
     */
    void abort(long nowNs, CloseReason reason) {
        gone = true;
        streams().abort(nowNs, statusOf(reason));
    }

    @Override
    public void start(long nowNs) {
        streams().start(nowNs);
    }

    @Override
    public boolean hasWork() {
        return streams().hasWork();
    }

    @Override
    public void stopAccepting(long nowNs) {
        streams().stopAccepting(nowNs);
    }

    private static WcStatus statusOf(CloseReason reason) {
        // R-ERR-001: each error maps to one status, carried by the first request only.
        return switch (reason) {
            case PEER_DEAD, PEER_RESTARTED, CONNECT_TIMEOUT -> WcStatus.RETRY_EXC_ERR;
            case PEER_ABORT -> WcStatus.REM_ABORT_ERR;
            case PROTOCOL_ERROR -> WcStatus.FATAL_ERR;
            default -> WcStatus.WR_FLUSH_ERR;
        };
    }
}
