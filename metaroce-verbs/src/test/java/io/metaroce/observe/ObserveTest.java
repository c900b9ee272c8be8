package io.metaroce.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.trace.Counter;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.Listener;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.QpInitAttributes;
import io.metaroce.verbs.QpState;
import io.metaroce.verbs.QueuePair;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Meters and the bean of an endpoint that has one connection. */
class ObserveTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int SERVICE = 5;

    private final UdpEndpoint endpoint = bind();
    private final UdpEndpoint peerEndpoint = bind();
    private final Device device = Device.open(endpoint);
    private final Device peer = Device.open(peerEndpoint);

    private static UdpEndpoint bind() {
        return UdpEndpoint.bind(UdpConfig.builder().bind("127.0.0.1:0").build());
    }

    @BeforeEach
    void connect() throws Exception {
        try (Listener listener = peer.listen(SERVICE)) {
            CompletableFuture<Void> accepted = CompletableFuture.runAsync(() -> {
                try {
                    listener.accept(LONG).accept(new byte[0], LONG, queuePair(peer));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            device.connect(peer.address().toString(), SERVICE, LONG, queuePair(device));
            accepted.get(LONG.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static QueuePair queuePair(Device device) {
        ProtectionDomain domain = device.createProtectionDomain();
        QueuePair made = domain.createQueuePair(QpInitAttributes.of(device.createCompletionQueue(512)));
        made.modify(QpState.INIT);
        return made;
    }

    @AfterEach
    void close() {
        device.close();
        peer.close();
    }

    @Test
    void everyCounterIsAMeter() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new EndpointMeters(endpoint, List.of()).bindTo(registry);
        for (Counter counter : Counter.values()) {
            assertThat(registry.find("metaroce." + counter.label()).functionCounter())
                    .as(counter.label())
                    .isNotNull();
        }
        double sent = registry.get("metaroce.tx_packets").functionCounter().count();
        assertThat(sent).isPositive();
        assertThat(registry.get("metaroce.dropped")
                        .tag("reason", "integrity")
                        .functionCounter()
                        .count())
                .isZero();
    }

    @Test
    void pathsAreMetersWhileTheyLast() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        EndpointMeters meters = new EndpointMeters(endpoint, List.of());
        meters.bindTo(registry);
        meters.refresh();
        assertThat(registry.get("metaroce.connections").gauge().value()).isEqualTo(1);
        int paths = registry.get("metaroce.path.sent").functionCounters().size();
        assertThat(paths).isEqualTo(endpoint.config().path().paths());
        assertThat(registry.get("metaroce.path.active").gauges()).allMatch(gauge -> gauge.value() == 1);
        assertThat(registry.get("metaroce.path.rtt")
                        .timeGauges()
                        .iterator()
                        .next()
                        .value(TimeUnit.NANOSECONDS))
                .isPositive();
        device.close();
        meters.refresh();
        assertThat(registry.find("metaroce.path.sent").functionCounters()).isEmpty();
        assertThat(registry.get("metaroce.connections").gauge().value()).isZero();
    }

    @Test
    void theBeanShowsCountersConnectionsAndPaths() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        EndpointJmx shown = EndpointJmx.register(endpoint);
        try {
            ObjectName name = server.queryNames(new ObjectName(EndpointJmx.ALL), null).stream()
                    .filter(one ->
                            one.toString().contains(endpoint.localAddress().toString()))
                    .findFirst()
                    .orElseThrow();
            Object address = server.getAttribute(name, "Address");
            assertThat(address).isEqualTo(endpoint.localAddress().toString());
            EndpointMXBean bean = JMX.newMXBeanProxy(server, name, EndpointMXBean.class);
            Map<String, Long> counters = bean.getCounters();
            assertThat(counters).hasSize(Counter.values().length).containsEntry("connections_opened", 1L);
            assertThat(bean.getDrops()).doesNotContainValue(0L);
            CompositeData[] paths = (CompositeData[]) server.getAttribute(name, "Paths");
            assertThat(paths).hasSize(endpoint.config().path().paths());
            assertThat(Objects.requireNonNull(paths)[0].get("state")).isEqualTo("ACTIVE");
            CompositeData[] connections = (CompositeData[]) server.getAttribute(name, "Connections");
            assertThat(connections).hasSize(1);
            assertThatThrownBy(() -> EndpointJmx.register(endpoint)).isInstanceOf(IllegalStateException.class);
        } finally {
            shown.close();
            shown.close();
        }
        assertThat(server.queryNames(new ObjectName(EndpointJmx.ALL), null)).isEmpty();
    }
}
