package io.metaroce.sim;

import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.Offer;
import io.metaroce.engine.PathView;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.CloseReason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One application on a simulated host: a queue pair on stream 0, and everything it was told. */
final class Peer implements ConnectionListener {
    static final int SERVICE = 7;
    static final int NONE = 0;

    final Host host;
    final App app;
    final List<String> events = new ArrayList<>();
    int connectionId = NONE;
    boolean isEstablished;
    boolean isClosed;

    @Nullable
    CloseReason closeReason;

    Peer(Host host, int memoryBytes, int depth) {
        this.host = host;
        app = new App(host.endpoint().regions(), host.doorbells(), 0, memoryBytes, depth);
        SplitMix64 stream =
                host.world().seeds().stream("test.memory", host.attachment().node());
        for (int i = 0; i + Long.BYTES <= memoryBytes; i += Long.BYTES) {
            app.memory().putLong(i, stream.nextLong());
        }
    }

    void listens() {
        host.commands().offer((now, endpoint) -> endpoint.listen(SERVICE, this));
        host.doorbells().wake();
    }

    void connects(Peer to) {
        host.commands()
                .offer((now, endpoint) -> connectionId = endpoint.connect(
                        now, to.host.localAddress(), SERVICE, List.of(app.binding()), new byte[0], this));
        host.doorbells().wake();
    }

    void closes() {
        host.commands().offer((now, endpoint) -> endpoint.close(now, connectionId));
        host.doorbells().wake();
    }

    ConnectionView view() {
        ConnectionView view = host.endpoint().view(connectionId);
        if (view == null) {
            throw new IllegalStateException(host + " has no connection " + connectionId);
        }
        return view;
    }

    /** What it looks like inside, for messages. */
    String state() {
        StringBuilder out = new StringBuilder();
        out.append(host)
                .append(": ")
                .append(app.poll().size())
                .append(" done, events ")
                .append(events);
        ConnectionView view = host.endpoint().view(connectionId);
        if (view != null) {
            out.append(", ").append(view.state()).append(", window ").append(view.windowBytes());
            out.append(", in flight ").append(view.inFlightBytes()).append('\n');
            for (PathView path : view.paths()) {
                out.append("    ").append(path).append('\n');
            }
        }
        return out.toString();
    }

    @Override
    public void offered(long nowNs, int id, Offer offer) {
        connectionId = id;
        events.add("offered");
        host.commands().offer((now, endpoint) -> endpoint.accept(now, id, List.of(app.binding()), new byte[0]));
        host.doorbells().wake();
    }

    @Override
    public void established(long nowNs, int id, byte[] privateData) {
        events.add("established");
        isEstablished = true;
    }

    @Override
    public void closed(long nowNs, int id, CloseReason reason, String detail, byte[] privateData) {
        events.add("closed " + reason + " (" + detail + ")");
        isClosed = true;
        closeReason = reason;
    }

    @Override
    public void streamFailed(long nowNs, int id, int streamId, String detail) {
        events.add("stream " + streamId + " failed: " + detail);
    }
}
