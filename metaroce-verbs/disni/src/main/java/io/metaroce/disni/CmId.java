package io.metaroce.disni;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import io.metaroce.verbs.Connection;
import io.metaroce.verbs.ConnectionRequest;
import io.metaroce.verbs.Listener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** One end of a connection, or a place where peers may ask for one: DiSNI's id of the connection manager. */
final class CmId extends RdmaCmId {
    private final CmChannel channel;
    private final @Nullable CmId listening;
    volatile @Nullable Context context;
    volatile @Nullable InetSocketAddress peer;
    volatile @Nullable Listener listener;
    volatile @Nullable ConnectionRequest request;
    volatile @Nullable Connection connection;

    CmId(CmChannel channel, short space, @Nullable CmId listening) throws IOException {
        super(channel, noContextYet());
        this.channel = channel;
        this.listening = listening;
        ps = space;
    }

    /** DiSNI gives an id its context when its address is known. */
    @SuppressWarnings("NullAway")
    private static IbvContext noContextYet() {
        return null;
    }

    void context(Context value) {
        context = value;
        setVerbs(value);
        setPort_num((byte) 1);
    }

    Context needContext(String asked) throws IOException {
        Context known = context;
        if (known == null) {
            throw new IOException(asked + ": resolve or bind an address first");
        }
        return known;
    }

    void queuePair(IbvQP value) {
        setQp(value);
    }

    Qp needQueuePair(String asked) throws IOException {
        if (getQp() instanceof Qp known) {
            return known;
        }
        throw new IOException(asked + ": create a queue pair for this id first");
    }

    CmChannel channel() {
        return channel;
    }

    void tell(EventType type) throws IOException {
        channel.put(new Told(type, 0, listening, this));
    }

    void tell(EventType type, int status) throws IOException {
        channel.put(new Told(type, status, listening, this));
    }

    void disconnected() {
        try {
            tell(EventType.RDMA_CM_EVENT_DISCONNECTED);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An event with its status. */
    private static final class Told extends RdmaCmEvent {
        @SuppressWarnings({"EnumOrdinal", "NullAway"}) // DiSNI numbers events by ordinal, and listens for null
        Told(EventType type, int code, @Nullable CmId listening, CmId id) throws IOException {
            super(type.ordinal(), listening, id);
            status = code;
        }
    }
}
