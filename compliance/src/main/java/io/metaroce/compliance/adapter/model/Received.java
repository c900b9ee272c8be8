package io.metaroce.compliance.adapter.model;

import io.metaroce.engine.ArchView;
import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.Endpoint;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a model has received on one connection: what a device in its place may report, and no more. */
public final class Received {
    private static final int WORD_BITS = 64;

    private final Map<Integer, ArchView.Inbound> paths = new TreeMap<>();
    private final Map<Integer, int[]> streams = new TreeMap<>();
    private final boolean isKnown;

    private Received(@Nullable ArchView view) {
        isKnown = view != null;
        if (view != null) {
            view.inbound().forEach(path -> paths.put(path.id(), path));
            view.streams()
                    .forEach(stream ->
                            streams.put(stream.streamId(), new int[] {stream.receivedMsn(), stream.rsnLimit()}));
        }
    }

    static Received of(Endpoint endpoint, int peerId) {
        for (int id : endpoint.connectionIds()) {
            ConnectionView view = endpoint.view(id);
            if (view != null && view.peerId() == peerId) {
                return new Received(ArchView.of(endpoint, id));
            }
        }
        return new Received(null);
    }

    /** Whether there is such a connection. */
    public boolean isKnown() {
        return isKnown;
    }

    /** Whether anything has come on a path. */
    public boolean hasPath(int path) {
        return paths.containsKey(path);
    }

    /** The first PSN still owed on a path. */
    public int cumPsn(int path) {
        ArchView.Inbound inbound = paths.get(path);
        return inbound == null ? 0 : inbound.cumPsn();
    }

    /** Whether a slot has come. */
    public boolean has(int path, int psn) {
        ArchView.Inbound inbound = paths.get(path);
        if (inbound == null) {
            return false;
        }
        int ahead = psn - inbound.cumPsn();
        return ahead < 0
                || (ahead / WORD_BITS < inbound.bitmap().size()
                        && ((inbound.bitmap().get(ahead / WORD_BITS) >>> ahead) & 1) != 0);
    }

    /** Whether a stream is open here. */
    public boolean hasStream(int stream) {
        return streams.containsKey(stream);
    }

    /** First message of a stream that is not complete. */
    public int nextMsn(int stream) {
        return streams.getOrDefault(stream, new int[2])[0];
    }

    /** Receives posted on a stream so far. */
    public int rsnLimit(int stream) {
        return streams.getOrDefault(stream, new int[2])[1];
    }
}
