package io.metaroce.observe;

import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.EndpointHost;
import io.metaroce.engine.PathView;
import io.metaroce.trace.Counter;
import io.metaroce.trace.DropReason;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanRegistrationException;
import javax.management.ObjectName;

/**
 * Shows an endpoint in JMX, for {@code metaroce stat}, JConsole and the like, as
 * {@code io.metaroce:type=Endpoint,address="ADDRESS"}. Closing it takes the bean away; close it before the endpoint.
 */
public final class EndpointJmx implements AutoCloseable {
    /** Matches the beans of all endpoints of a process. */
    public static final String ALL = "io.metaroce:type=Endpoint,*";

    private final ObjectName name;

    private EndpointJmx(ObjectName name) {
        this.name = name;
    }

    /**
     * Registers an endpoint with the platform's bean server.
     *
     * @throws IllegalStateException when it is registered already
     */
    public static EndpointJmx register(EndpointHost host) {
        String address = host.localAddress().toString();
        try {
            ObjectName name = new ObjectName("io.metaroce:type=Endpoint,address=" + ObjectName.quote(address));
            ManagementFactory.getPlatformMBeanServer().registerMBean(new Bean(host), name);
            return new EndpointJmx(name);
        } catch (JMException e) {
            throw new IllegalStateException("cannot show the endpoint " + address + " in JMX: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (InstanceNotFoundException e) {
            // closed twice
        } catch (MBeanRegistrationException e) {
            throw new IllegalStateException("cannot take " + name + " out of JMX", e);
        }
    }

    /** The bean. */
    private static final class Bean implements EndpointMXBean {
        private final EndpointHost host;

        Bean(EndpointHost host) {
            this.host = host;
        }

        @Override
        public String getAddress() {
            return host.localAddress().toString();
        }

        @Override
        public SortedMap<String, Long> getCounters() {
            SortedMap<String, Long> all = new TreeMap<>();
            for (Counter counter : Counter.values()) {
                all.put(counter.label(), host.counters().get(counter));
            }
            return all;
        }

        @Override
        public SortedMap<String, Long> getDrops() {
            SortedMap<String, Long> all = new TreeMap<>();
            for (DropReason reason : DropReason.values()) {
                long count = host.counters().get(reason);
                if (count > 0) {
                    all.put(reason.label(), count);
                }
            }
            return all;
        }

        @Override
        public List<ConnectionRow> getConnections() {
            return EndpointViews.of(host).stream().map(ConnectionRow::of).toList();
        }

        @Override
        public List<PathRow> getPaths() {
            List<PathRow> rows = new ArrayList<>();
            for (ConnectionView connection : EndpointViews.of(host)) {
                for (PathView path : connection.paths()) {
                    rows.add(PathRow.of(connection.id(), path));
                }
            }
            return rows;
        }
    }
}
