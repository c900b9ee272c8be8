package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.Host;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import io.metaroce.trace.Counter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How often an endpoint has something to do whose connections all rest. */
class RestingCrowdSimTest {
    private static final long S = 1_000_000_000L;
    private static final long MS = 1_000_000L;
    private static final int CONNECTIONS = 100;
    private static final int SECONDS = 10;
    private static final int BYTES = 64;
    private static final int SERVICE = 7;

    /** One end of all connections, each with an application of its own. */
    private static final class Crowd implements ConnectionListener {
        private final Host host;
        private final List<App> apps = new ArrayList<>();
        private final Set<Long> busyMs = new HashSet<>();
        private int established;

        Crowd(Fabric fabric, String name, EndpointConfig config) {
            host = fabric.host(name, config);
        }

        private App newApp() {
            App made = new App(host.endpoint().regions(), host.doorbells(), 0, BYTES, 2);
            apps.add(made);
            return made;
        }

        void connect(Crowd to) {
            int unused = host.endpoint()
                    .connect(
                            host.nowNs(),
                            to.host.localAddress(),
                            SERVICE,
                            List.of(newApp().binding()),
                            new byte[0],
                            this);
            host.touched();
        }

        void watch() {
            host.tap(new PacketTap() {
                @Override
                public void settled(long nowNs, Endpoint endpoint) {
                    busyMs.add(nowNs / MS);
                }
            });
        }

        @Override
        public void offered(long nowNs, int connectionId, Offer offer) {
            App app = newApp();
            host.commands()
                    .offer((now, endpoint) -> endpoint.accept(now, connectionId, List.of(app.binding()), new byte[0]));
            host.doorbells().wake();
        }

        @Override
        public void established(long nowNs, int connectionId, byte[] privateData) {
            established++;
        }
    }

    /** They have begun to rest one after the other, and are asked together all the same. */
    @Test
    @Covers("R-PATH-024")
    void restingConnectionsAreAskedTogether() {
        World world = World.ofSeed(5);
        Fabric fabric = Topology.pair(world, Topology.Pair.plain());
        Crowd a = new Crowd(fabric, "a", Profiles.udp());
        Crowd b = new Crowd(fabric, "b", Profiles.udp());
        b.host.endpoint().listen(SERVICE, b);
        for (int i = 0; i < CONNECTIONS; i++) {
            a.connect(b);
        }
        assertThat(world.runUntil(() -> a.established == CONNECTIONS && b.established == CONNECTIONS, 10 * S))
                .isTrue();
        for (int i = 0; i < CONNECTIONS; i++) {
            App.Remote target = b.apps.get(i).at(0, 0);
            a.apps.get(i).post(i, WrOpcode.RDMA_WRITE, new App.Range(0, BYTES), target);
            world.run(7 * MS);
        }
        world.run(2 * S);
        a.watch();
        b.watch();
        long before = a.host.counters().get(Counter.PROBES_SENT);
        world.run(SECONDS * S);

        long asked = a.host.counters().get(Counter.PROBES_SENT) - before;
        assertThat(asked).as("questions").isBetween(8L * CONNECTIONS, 11L * CONNECTIONS);
        // Fifteen instants a second, at each of which there may be questions, answers to them, and a timer in vain.
        assertThat(a.busyMs)
                .as("milliseconds in which the one that asks is awake")
                .hasSizeLessThan(SECONDS * 48);
        assertThat(b.busyMs).as("the same of the one that is asked").hasSizeLessThan(SECONDS * 32);
    }
}
