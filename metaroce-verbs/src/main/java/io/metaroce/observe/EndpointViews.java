package io.metaroce.observe;

import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.EndpointHost;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Asks the endpoint's thread how its connections stand. */
final class EndpointViews {
    private static final long PATIENCE_NS = 1_000_000_000;

    private EndpointViews() {}

    /** All established connections, or none when the endpoint is closed or does not answer within a second. */
    static List<ConnectionView> of(EndpointHost host) {
        AtomicReference<@Nullable List<ConnectionView>> answer = new AtomicReference<>();
        host.commands().offer((nowNs, endpoint) -> {
            answer.set(look(endpoint));
            host.signal();
        });
        host.doorbells().wake();
        boolean unused = host.await(() -> answer.get() != null, PATIENCE_NS);
        List<ConnectionView> seen = answer.get();
        return seen == null ? List.of() : seen;
    }

    private static List<ConnectionView> look(Endpoint endpoint) {
        List<ConnectionView> all = new ArrayList<>();
        for (int id : endpoint.connectionIds()) {
            ConnectionView view = endpoint.view(id);
            if (view != null && !view.paths().isEmpty()) {
                all.add(view);
            }
        }
        return all;
    }
}
