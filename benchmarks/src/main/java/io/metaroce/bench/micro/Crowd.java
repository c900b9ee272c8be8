package io.metaroce.bench.micro;

import io.metaroce.datagram.Address;
import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.Offer;
import io.metaroce.engine.StreamBinding;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import java.util.List;

/**
 * Two engines with many connections between them. Traffic goes round over the connections, so that with many of them
 * each comes with nothing of it in the caches of the processor. Time moves only when it is told to. Resting paths are
 * not probed: what that costs goes by seconds, not by packets.
 */
public final class Crowd {
    /** Packets of 4 KiB in each message. */
    public static final int PACKETS_PER_MESSAGE = 16;

    private static final int SERVICE = 5;
    private static final int DEPTH = 16;
    private static final int MESSAGE_BYTES = PACKETS_PER_MESSAGE * 4096;
    private static final int TRAY_PACKETS = 512;
    private static final int HANDSHAKE_STEPS = 1000;
    private static final long STEP_NS = 20_000;
    private static final long ACK_DELAY_NS = 250_000; // a little more than the longest an acknowledgement waits
    private static final long PACKET_NS = 50;
    private static final long NO_PROBES_NS = 3_600_000_000_000L;
    private static final long LINE_BYTES_PER_SECOND = 100_000_000_000L;
    private static final Address LEFT = Address.ipv4(0x7F000001, 1001);
    private static final Address RIGHT = Address.ipv4(0x7F000002, 1002);

    private final Side left;
    private final Side right;
    private final Tray forth = new Tray(TRAY_PACKETS, 4096, LEFT);
    private final Tray back = new Tray(TRAY_PACKETS, 4096, RIGHT);
    private final int connections;
    private int next;
    private long nowNs = 1_000_000;

    /** Engines without connections, and everything that an application brings along for {@code connections} of them. */
    public Crowd(int connections) {
        EndpointConfig config = Profiles.udp();
        EndpointConfig fast = config.withRate(config.rate().withLineRate(LINE_BYTES_PER_SECOND, LINE_BYTES_PER_SECOND))
                .withPath(config.path().withIdleProbeNs(NO_PROBES_NS));
        this.connections = connections;
        left = new Side(fast, LEFT, new SplitMix64(1), connections);
        right = new Side(fast, RIGHT, new SplitMix64(2), connections);
        right.bare.endpoint().listen(SERVICE, right);
    }

    /** Makes all connections, one after the other. */
    public void connect() {
        for (int i = 0; i < connections; i++) {
            left.bare.endpoint().connect(nowNs, RIGHT, SERVICE, List.of(left.binding(i)), new byte[0], left);
            for (int step = 0; step < HANDSHAKE_STEPS && (left.established <= i || right.established <= i); step++) {
                exchange();
                pass(STEP_NS);
            }
            if (left.established <= i || right.established <= i) {
                throw new IllegalStateException("connection " + i + " was not made");
            }
        }
    }

    /** Posts {@code messages} writes of the left side, each on the next connection. */
    public void post(int messages) {
        post(left, right, messages);
    }

    /** Posts {@code messages} writes of the right side, each on the next connection. */
    public void postBack(int messages) {
        post(right, left, messages);
    }

    /** Exchanges packets, and lets time pass, until every message posted is complete. */
    public void settle() {
        for (int i = 0; left.outstanding() + right.outstanding() > 0; i++) {
            if (i == HANDSHAKE_STEPS) {
                throw new IllegalStateException("messages do not become complete");
            }
            exchange();
            pass(ACK_DELAY_NS);
        }
        exchange();
    }

    /** Lets {@code ns} pass in which nobody has anything to send. */
    public void rest(long ns) {
        pass(ns);
        exchange();
    }

    /** Connections that stand. */
    public int established() {
        return Math.min(left.established, right.established);
    }

    /** The engine that made the connections. */
    public Endpoint left() {
        return left.bare.endpoint();
    }

    /** The engine that accepted them. */
    public Endpoint right() {
        return right.bare.endpoint();
    }

    private void post(Side from, Side to, int messages) {
        for (int i = 0; i < messages; i++) {
            from.bare.post(next, to.bare);
            next = (next + 1) % connections;
        }
        from.bare.tick(nowNs);
    }

    private void exchange() {
        while (left.poll(this, forth) + right.poll(this, back) + forth.count() + back.count() > 0) {
            forth.assemble();
            right.bare.feed(nowNs, forth);
            back.assemble();
            left.bare.feed(nowNs, back);
        }
    }

    private void pass(long ns) {
        nowNs += ns;
        left.bare.tick(nowNs);
        right.bare.tick(nowNs);
    }

    /** One engine with a queue pair per connection. */
    private static final class Side implements ConnectionListener {
        private final BareSide bare;
        private int accepted;
        private int established;
        private long completed;

        Side(EndpointConfig config, Address address, SplitMix64 entropy, int connections) {
            bare = new BareSide(config, address, entropy, connections, DEPTH, MESSAGE_BYTES);
        }

        StreamBinding binding(int i) {
            return bare.binding(0, i);
        }

        long outstanding() {
            completed += bare.takeCompletions();
            return bare.posted() - completed;
        }

        int poll(Crowd crowd, Tray tray) {
            int n = 0;
            while (bare.poll(crowd.nowNs, tray)) {
                crowd.nowNs += PACKET_NS;
                n++;
            }
            return n;
        }

        @Override
        public void offered(long nowNs, int connectionId, Offer offer) {
            bare.endpoint().accept(nowNs, connectionId, List.of(binding(accepted++)), new byte[0]);
        }

        @Override
        public void established(long nowNs, int connectionId, byte[] privateData) {
            established++;
        }
    }
}
