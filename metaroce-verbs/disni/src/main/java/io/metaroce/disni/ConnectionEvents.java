package io.metaroce.disni;

import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import io.metaroce.verbs.ConnectFailure;
import io.metaroce.verbs.Connection;
import io.metaroce.verbs.ConnectionRequest;
import io.metaroce.verbs.Listener;
import io.metaroce.verbs.VerbsConnectException;
import io.metaroce.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * DiSNI's connection manager over metaroce. The port of an address is also the number of the service.
 *
 * <p>Unlike with hardware, {@link #connect} and {@link #accept} wait until the connection stands or has failed, and say
 * so by an exception; the event comes too. So {@code RdmaEndpoint.connect} never hangs on a peer that is not there.
 */
final class ConnectionEvents extends RdmaCm {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration CLOSING = Duration.ofSeconds(1);
    private static final int ECONNREFUSED = -111;
    private static final int ETIMEDOUT = -110;

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "metaroce-disni");
        thread.setDaemon(true);
        return thread;
    });

    @Override
    public RdmaEventChannel createEventChannel() throws IOException {
        return new CmChannel();
    }

    @Override
    public RdmaCmId createId(RdmaEventChannel channel, short space) throws IOException {
        return new CmId((CmChannel) channel, space, null);
    }

    @Override
    public IbvQP createQP(RdmaCmId id, IbvPd domain, IbvQPInitAttr how) throws IOException {
        Qp made = Qp.create((Pd) domain, how);
        ((CmId) id).queuePair(made);
        return made;
    }

    @Override
    public void bindAddr(RdmaCmId id, SocketAddress local) throws IOException {
        ((CmId) id).context(Context.listeningAt((InetSocketAddress) local));
    }

    @Override
    public void listen(RdmaCmId id, int backlog) throws IOException {
        CmId listening = (CmId) id;
        Context context = listening.needContext("listen");
        Listener listener = context.device().listen(context.address().getPort());
        listening.listener = listener;
        threads.execute(() -> offer(listening, context, listener));
    }

    private static void offer(CmId listening, Context context, Listener listener) {
        while (listening.listener == listener) {
            try {
                CmId id = new CmId(listening.channel(), (short) listening.getPs(), listening);
                ConnectionRequest request = listener.accept(PATIENCE);
                id.context(context);
                id.request = request;
                id.peer = Context.socketAddress(request.peer());
                id.tell(EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
            } catch (TimeoutException e) {
                // Nobody asked just now.
            } catch (VerbsException | IOException e) {
                return;
            }
        }
    }

    @Override
    public void resolveAddr(RdmaCmId id, @Nullable SocketAddress from, SocketAddress to, int timeoutMs)
            throws IOException {
        CmId own = (CmId) id;
        InetSocketAddress peer = (InetSocketAddress) to;
        if (peer.isUnresolved()) {
            throw new IOException("the host name of " + peer + " is unknown");
        }
        own.peer = peer;
        own.context(Context.reaching(peer));
        own.tell(EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
    }

    @Override
    public void resolveRoute(RdmaCmId id, int timeoutMs) throws IOException {
        ((CmId) id).tell(EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
    }

    @Override
    public @Nullable RdmaCmEvent getCmEvent(RdmaEventChannel channel, int timeoutMs) throws IOException {
        return ((CmChannel) channel).next(timeoutMs);
    }

    @Override
    public void connect(RdmaCmId id, RdmaConnParam how) throws IOException {
        CmId own = (CmId) id;
        Context context = own.needContext("connect");
        InetSocketAddress peer = own.peer;
        if (peer == null) {
            throw new IOException("connect: resolve the peer's address first");
        }
        Qp queuePair = own.needQueuePair("connect");
        String host = peer.getAddress().getHostAddress();
        try {
            established(
                    own,
                    context,
                    context.device()
                            .connector()
                            .withTimeout(PATIENCE)
                            .withPrivateData(privateData(how))
                            .connect(
                                    (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + peer.getPort(),
                                    peer.getPort(),
                                    queuePair.queuePair()));
        } catch (VerbsConnectException e) {
            boolean refused = e.failure() == ConnectFailure.REJECTED || e.failure() == ConnectFailure.NO_SERVICE;
            own.tell(
                    refused ? EventType.RDMA_CM_EVENT_REJECTED : EventType.RDMA_CM_EVENT_UNREACHABLE,
                    refused ? ECONNREFUSED : ETIMEDOUT);
            throw e;
        } catch (VerbsException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void accept(RdmaCmId id, RdmaConnParam how) throws IOException {
        CmId own = (CmId) id;
        ConnectionRequest request = own.request;
        if (request == null) {
            throw new IOException("accept: this id has no request of a peer");
        }
        try {
            established(
                    own,
                    own.needContext("accept"),
                    request.accept(
                            privateData(how),
                            PATIENCE,
                            own.needQueuePair("accept").queuePair()));
        } catch (VerbsException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static void established(CmId id, Context context, Connection connection) throws IOException {
        id.connection = connection;
        id.tell(EventType.RDMA_CM_EVENT_ESTABLISHED);
        context.connected(connection, id);
    }

    private static byte[] privateData(@Nullable RdmaConnParam how) throws IOException {
        int length = how == null ? 0 : how.getPrivate_data_len() & 0xFF;
        if (how == null || length == 0) {
            return new byte[0];
        }
        ByteBuffer bytes = BufferAddresses.at(how.getPrivate_data(), length);
        if (bytes == null) {
            throw new IOException("private data: " + length + " bytes at " + how.getPrivate_data()
                    + ", which MemoryUtils.getAddress never gave for a buffer that is still there");
        }
        byte[] copy = new byte[length];
        bytes.get(copy);
        return copy;
    }

    @Override
    public int ackCmEvent(RdmaCmEvent event) {
        return 0;
    }

    @Override
    public int disconnect(RdmaCmId id) throws IOException {
        CmId own = (CmId) id;
        Connection connection = own.connection;
        if (connection == null) {
            own.disconnected();
        } else {
            Context context = own.needContext("disconnect");
            threads.execute(() -> {
                connection.close(CLOSING);
                context.left(connection);
            });
        }
        return 0;
    }

    @Override
    public int destroyEventChannel(RdmaEventChannel channel) {
        channel.close();
        return 0;
    }

    @Override
    public int destroyCmId(RdmaCmId id) {
        CmId own = (CmId) id;
        Listener listener = own.listener;
        Context context = own.context;
        own.listener = null;
        if (listener != null && context != null) {
            context.close();
        }
        Connection connection = own.connection;
        if (connection != null) {
            connection.close(Duration.ZERO);
        }
        own.close();
        return 0;
    }

    @Override
    public int destroyQP(RdmaCmId id) {
        if (id.getQp() instanceof Qp queuePair) {
            queuePair.close();
        }
        return 0;
    }

    @Override
    public int destroyEp(RdmaCmId id) {
        return destroyQP(id) + destroyCmId(id);
    }

    @Override
    public SocketAddress getSrcAddr(RdmaCmId id) throws IOException {
        return ((CmId) id).needContext("address").address();
    }

    @Override
    public @Nullable SocketAddress getDstAddr(RdmaCmId id) {
        return ((CmId) id).peer;
    }
}
