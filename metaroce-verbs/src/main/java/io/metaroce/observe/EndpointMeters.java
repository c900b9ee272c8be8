package io.metaroce.observe;

import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.EndpointHost;
import io.metaroce.engine.PathView;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.trace.DropReason;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Micrometer meters of an endpoint.
 *
 * <ul>
 *   <li>{@code metaroce.NAME} for every counter, under the name it has in {@code docs/counters.md};
 *   <li>{@code metaroce.dropped} with the tag {@code reason};
 *   <li>{@code metaroce.connections}, and {@code metaroce.path.*} with the tags {@code connection}, {@code path} and
 *       {@code plane}, as of the last {@link #refresh}.
 * </ul>
 *
 * <p>Counters are read when they are scraped, which disturbs nobody. Connections and paths belong to the endpoint's
 * thread, so they are asked for by {@link #refresh} alone: call it from a timer, or before a scrape.
 */
@SuppressWarnings("exports") // who calls it has what it adapts to
public final class EndpointMeters implements MeterBinder {
    private static final String PREFIX = "metaroce.";

    private final EndpointHost host;
    private final Tags tags;
    private final Map<String, PathMeters> paths = new TreeMap<>();
    private final List<MeterRegistry> registries = new ArrayList<>();
    private volatile int connections;

    /** Meters of {@code host}; each gets {@code tags} and the tag {@code endpoint}, the address. */
    public EndpointMeters(EndpointHost host, Iterable<Tag> tags) {
        this.host = host;
        this.tags = Tags.of(tags).and("endpoint", host.localAddress().toString());
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Counters counters = host.counters();
        for (Counter counter : Counter.values()) {
            FunctionCounter.builder(PREFIX + counter.label(), counters, all -> all.get(counter))
                    .description(counter.meaning())
                    .tags(tags)
                    .register(registry);
        }
        for (DropReason reason : DropReason.values()) {
            FunctionCounter.builder(PREFIX + "dropped", counters, all -> all.get(reason))
                    .description("packets dropped on arrival")
                    .tags(tags)
                    .tag("reason", reason.label())
                    .register(registry);
        }
        Gauge.builder(PREFIX + "connections", this, meters -> meters.connections)
                .description("connections established")
                .tags(tags)
                .register(registry);
        synchronized (paths) {
            registries.add(registry);
            paths.values().forEach(path -> path.register(registry));
        }
    }

    /** Asks how connections and paths stand; makes meters for new ones, removes those of what is gone. */
    public void refresh() {
        List<ConnectionView> seen = EndpointViews.of(host);
        connections = seen.size();
        Map<String, PathMeters> gone = new TreeMap<>();
        synchronized (paths) {
            gone.putAll(paths);
            for (ConnectionView connection : seen) {
                String id = ConnectionRow.name(connection.id());
                for (PathView path : connection.paths()) {
                    String key = id + " " + path.id();
                    PathMeters meters = gone.remove(key);
                    // A path that has moved to another plane counts on under the tags of that.
                    if (meters != null && meters.view.plane() != path.plane()) {
                        meters.remove();
                        meters = null;
                    }
                    if (meters == null) {
                        meters = new PathMeters(id, path);
                        paths.put(key, meters);
                        registries.forEach(meters::register);
                    }
                    meters.view = path;
                }
            }
            gone.forEach((key, meters) -> {
                meters.remove();
                paths.remove(key);
            });
        }
    }

    /** The meters of one path. */
    private final class PathMeters {
        private final Tags own;
        private final IdentityHashMap<Meter, MeterRegistry> registered = new IdentityHashMap<>();
        private volatile PathView view;

        PathMeters(String connection, PathView view) {
            this.view = view;
            own = tags.and(
                    "connection", connection, "path", String.valueOf(view.id()), "plane", String.valueOf(view.plane()));
        }

        void register(MeterRegistry registry) {
            count(registry, "sent", "slot packets sent, resends included", PathView::sentPackets);
            count(registry, "resent", "slot packets sent again", PathView::resentPackets);
            count(registry, "lost", "slots found lost by a gap", PathView::lostPackets);
            count(registry, "marks", "packets the receiver got with a congestion mark", PathView::marks);
            count(registry, "duplicates", "packets the receiver got twice", PathView::duplicates);
            gauge(registry, "window.bytes", "congestion window", PathView::windowBytes);
            gauge(registry, "in_flight.bytes", "bytes in flight", PathView::inFlightBytes);
            gauge(registry, "active", "1 while the path is in service", path -> isActive(path) ? 1 : 0);
            keep(
                    registry,
                    TimeGauge.builder(PREFIX + "path.rtt", this, TimeUnit.NANOSECONDS, meters -> meters.view.srttNs())
                            .description("smoothed round-trip time")
                            .tags(own)
                            .register(registry));
        }

        void remove() {
            registered.forEach((meter, registry) -> registry.remove(meter));
            registered.clear();
        }

        private void count(MeterRegistry registry, String name, String meaning, ToDoubleFunction<PathView> value) {
            keep(
                    registry,
                    FunctionCounter.builder(PREFIX + "path." + name, this, meters -> value.applyAsDouble(meters.view))
                            .description(meaning)
                            .tags(own)
                            .register(registry));
        }

        private void gauge(MeterRegistry registry, String name, String meaning, ToDoubleFunction<PathView> value) {
            keep(
                    registry,
                    Gauge.builder(PREFIX + "path." + name, this, meters -> value.applyAsDouble(meters.view))
                            .description(meaning)
                            .tags(own)
                            .register(registry));
        }

        private void keep(MeterRegistry registry, Meter meter) {
            registered.put(meter, registry);
        }
    }

    private static boolean isActive(PathView path) {
        return path.state().equals("ACTIVE");
    }
}
