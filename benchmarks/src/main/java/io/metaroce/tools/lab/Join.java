package io.metaroce.tools.lab;

import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.Offer;
import io.metaroce.engine.StreamBinding;
import io.metaroce.param.CloseReason;
import io.metaroce.sim.Host;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.World;
import java.util.List;

/** A connection that is made: one host listens, and the other connects a microsecond later. */
final class Join implements ConnectionListener {
    private static final long LIMIT_NS = 10_000_000_000L;
    private static final long SETTLE_NS = 200_000;
    private static final int FIRST_SERVICE = 1000;

    private final Host from;
    private final Host to;
    private final int service;
    private final List<StreamBinding> source;
    private final List<StreamBinding> target;
    private int connectionId;
    private int acceptedId;
    private boolean isEstablished;

    /** The {@code number}-th of its world, with these streams at either end. */
    Join(int number, Host from, Host to, List<StreamBinding> source, List<StreamBinding> target) {
        this.from = from;
        this.to = to;
        this.service = FIRST_SERVICE + number;
        this.source = source;
        this.target = target;
    }

    /** Makes all of them, and lets everything that belongs to that pass. */
    static void makeAll(World world, List<Join> joins) {
        joins.forEach(Join::begin);
        Established established = new Established(joins);
        if (!world.runUntil(established::areAll, LIMIT_NS)) {
            throw new IllegalStateException("connections are not established at " + world.nowNs() + " ns");
        }
        world.run(SETTLE_NS);
    }

    /** Number of the connection at the side that connects. */
    int connectionId() {
        return connectionId;
    }

    /** Number of the connection at the side that listens. */
    int acceptedId() {
        return acceptedId;
    }

    private void begin() {
        to.commands().offer((now, endpoint) -> endpoint.listen(service, new Door()));
        to.doorbells().wake();
        World world = from.world();
        world.at(world.nowPs() + SimTime.US, () -> {
            from.commands()
                    .offer((now, endpoint) -> connectionId =
                            endpoint.connect(now, to.localAddress(), service, source, new byte[0], this));
            from.doorbells().wake();
        });
    }

    @Override
    public void established(long nowNs, int id, byte[] privateData) {
        isEstablished = true;
    }

    @Override
    public void closed(long nowNs, int id, CloseReason reason, String detail, byte[] privateData) {
        throw new IllegalStateException(from + " to " + to + " closed: " + reason + " " + detail);
    }

    /** Accepts this one connection. */
    private final class Door implements ConnectionListener {
        @Override
        public void offered(long nowNs, int id, Offer offer) {
            acceptedId = id;
            to.commands().offer((now, endpoint) -> endpoint.accept(now, id, target, new byte[0]));
            to.doorbells().wake();
        }
    }

    /** Asked before each event: those before one that is not established are not asked again. */
    private static final class Established {
        private final List<Join> joins;
        private int count;

        Established(List<Join> joins) {
            this.joins = joins;
        }

        boolean areAll() {
            while (count < joins.size() && joins.get(count).isEstablished) {
                count++;
            }
            return count == joins.size();
        }
    }
}
