package io.metaroce.engine;

import io.metaroce.num.SplitMix64;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.sim.App;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.Host;
import java.util.ArrayList;
import java.util.List;

/** A simulated host with one application per stream, and everything its connections told it. */
public final class Node implements ConnectionListener {
    /** The service every node may listen to. */
    public static final int SERVICE = 7;

    /** The host. */
    public final Host host;
    /** Its applications; the one at index i works on stream 2i. */
    public final List<App> apps = new ArrayList<>();
    /** What happened, in order. */
    public final List<String> events = new ArrayList<>();
    /** Why connections were closed, in order. */
    public final List<CloseReason> reasons = new ArrayList<>();
    /** The same in words. */
    public final List<String> details = new ArrayList<>();
    /** Numbers of connections in the order in which they were asked for or offered. */
    public final List<Integer> connections = new ArrayList<>();

    private int established;

    /** A node with so many applications. */
    public Node(Fabric fabric, String name, EndpointConfig config, int streams, int memoryBytes, int depth) {
        host = fabric.host(name, config);
        for (int i = 0; i < streams; i++) {
            App app = new App(host.endpoint().regions(), host.doorbells(), 2 * i, memoryBytes, depth);
            SplitMix64 stream = host.world().seeds().stream(
                    "test.memory", 100L * host.attachment().node() + i);
            for (int at = 0; at + Long.BYTES <= memoryBytes; at += Long.BYTES) {
                app.memory().putLong(at, stream.nextLong());
            }
            apps.add(app);
        }
    }

    /** The first application. */
    public App app() {
        return apps.get(0);
    }

    /** Accepts whoever comes. */
    public Node listens() {
        host.endpoint().listen(SERVICE, this);
        return this;
    }

    /** Asks another node for a connection with all applications. */
    public void connects(Node to) {
        connects(to, apps);
    }

    /** Asks another node for a connection with some applications. */
    public void connects(Node to, List<App> using) {
        connections.add(host.endpoint()
                .connect(
                        host.world().nowNs(),
                        to.host.localAddress(),
                        SERVICE,
                        using.stream().map(App::binding).toList(),
                        new byte[0],
                        this));
        host.touched();
    }

    /** Connects and waits until both sides know. */
    public void connected(Node to) {
        to.listens();
        connects(to);
        if (!host.world().runUntil(() -> established > 0 && to.established > 0, 1_000_000_000L)) {
            throw new AssertionError("not connected: " + events + " " + to.events);
        }
    }

    /** Closes its newest connection. */
    public void closes() {
        host.endpoint().close(host.world().nowNs(), connection());
        host.touched();
    }

    /** Gives its newest connection up. */
    public void aborts() {
        host.endpoint().abort(host.world().nowNs(), connection());
        host.touched();
    }

    /** Number of its newest connection. */
    public int connection() {
        return connections.get(connections.size() - 1);
    }

    /** Its newest connection as it stands. */
    public ConnectionView view() {
        ConnectionView view = host.endpoint().view(connection());
        if (view == null) {
            throw new AssertionError(host + " has no connection " + connection());
        }
        return view;
    }

    /** Whether its connection is closed. */
    public boolean isClosed() {
        return !reasons.isEmpty();
    }

    @Override
    public void offered(long nowNs, int connectionId, Offer offer) {
        connections.add(connectionId);
        events.add("offered");
        host.commands()
                .offer((now, endpoint) -> endpoint.accept(
                        now, connectionId, apps.stream().map(App::binding).toList(), new byte[0]));
        host.doorbells().wake();
    }

    @Override
    public void established(long nowNs, int connectionId, byte[] privateData) {
        events.add("established");
        established++;
    }

    @Override
    public void closed(long nowNs, int connectionId, CloseReason reason, String detail, byte[] privateData) {
        events.add("closed " + reason);
        reasons.add(reason);
        details.add(detail);
    }

    @Override
    public void streamFailed(long nowNs, int connectionId, int streamId, String detail) {
        events.add("stream " + streamId + " failed: " + detail);
    }
}
