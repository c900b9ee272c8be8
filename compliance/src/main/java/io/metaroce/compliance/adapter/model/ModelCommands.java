package io.metaroce.compliance.adapter.model;

import io.metaroce.compliance.adapter.EngineAgent;
import io.metaroce.compliance.spec.Json;
import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.Offer;
import io.metaroce.param.CloseReason;
import io.metaroce.queue.CommandQueue;
import io.metaroce.queue.DoorbellQueue;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The application of a model: carries out commands by the names of UTP/1. */
final class ModelCommands {
    private static final byte[] NOTHING = new byte[0];

    private final Endpoint endpoint;
    private final ModelMemory memory;
    private final QueuePairs pairs;
    private final Recorder recorder;
    private final CommandQueue<Endpoint> queue;
    private final DoorbellQueue doorbells;
    private final Posting posting;

    ModelCommands(
            Endpoint endpoint,
            ModelMemory memory,
            QueuePairs pairs,
            Recorder recorder,
            CommandQueue<Endpoint> queue,
            DoorbellQueue doorbells) {
        this.endpoint = endpoint;
        this.memory = memory;
        this.pairs = pairs;
        this.recorder = recorder;
        this.queue = queue;
        this.doorbells = doorbells;
        posting = new Posting(memory, pairs);
    }

    ObjectNode call(long nowNs, String name, JsonNode arguments) {
        try {
            return switch (name) {
                case "mr_reg" -> memory.register(endpoint.regions(), arguments);
                case "mr_dereg" -> memory.deregister(endpoint.regions(), arguments);
                case "mr_fill" -> memory.fill(arguments);
                case "mr_check" -> memory.check(arguments);
                case "mr_read" -> memory.read(arguments);
                case "listen" -> listen(arguments);
                case "connect" -> connect(nowNs, arguments);
                case "close" -> close(nowNs, arguments);
                case "stream_close" -> closeStream(nowNs, arguments);
                case "path_admin" -> parkPath(nowNs, arguments);
                case "plane" -> plane(nowNs, arguments);
                case "icmp" -> unreachable(nowNs, arguments);
                case "stats" -> EngineAgent.stats(endpoint.counters());
                default -> posting.call(name, arguments);
            };
        } catch (IllegalArgumentException e) {
            throw new Refused("E_ARG", String.valueOf(e.getMessage()));
        } catch (IllegalStateException e) {
            throw new Refused("E_LIMIT", String.valueOf(e.getMessage()));
        }
    }

    private ObjectNode listen(JsonNode arguments) {
        endpoint.listen(service(arguments), new Watching(arguments));
        return Json.object();
    }

    private static int service(JsonNode arguments) {
        return (int) Arguments.number(arguments, "service", 0, 0xFFFF, 7);
    }

    private ObjectNode connect(long nowNs, JsonNode arguments) {
        int count = (int) Arguments.number(arguments, "streams", 1, 64, 1);
        List<Integer> streams = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            streams.add(2 * i);
        }
        List<QueuePairs.Pair> made = pairs.make(streams, recorder);
        try {
            int id = endpoint.connect(
                    nowNs,
                    ModelSetup.address(Arguments.text(arguments, "to", "")),
                    service(arguments),
                    QueuePairs.bindings(made, arguments),
                    NOTHING,
                    new Watching(arguments));
            pairs.bind(made, id);
            return Json.object().put("conn", Integer.toUnsignedLong(id));
        } catch (RuntimeException e) {
            pairs.retire(made); // what is refused leaves nothing behind
            throw e;
        }
    }

    /** Accepts what is offered and forgets what is gone. */
    private final class Watching implements ConnectionListener {
        private final JsonNode wishes;

        private Watching(JsonNode wishes) {
            this.wishes = wishes;
        }

        @Override
        public void offered(long nowNs, int connectionId, Offer offer) {
            recorder.offered(connectionId);
            queue.offer((laterNs, at) -> {
                List<QueuePairs.Pair> made = pairs.make(offer.streamIds(), recorder);
                pairs.bind(made, connectionId);
                at.accept(laterNs, connectionId, QueuePairs.bindings(made, wishes), NOTHING);
            });
            doorbells.wake();
        }

        @Override
        public void closed(long nowNs, int connectionId, CloseReason reason, String detail, byte[] privateData) {
            pairs.unbind(connectionId);
        }
    }

    private ObjectNode close(long nowNs, JsonNode arguments) {
        int id = QueuePairs.connectionOf(arguments);
        switch (Arguments.text(arguments, "mode", "graceful")) {
            case "graceful" -> endpoint.close(nowNs, id);
            case "abort" -> endpoint.abort(nowNs, id);
            default -> throw new Refused("E_ARG", "mode is graceful or abort");
        }
        return Json.object();
    }

    private ObjectNode closeStream(long nowNs, JsonNode arguments) {
        endpoint.closeStream(nowNs, QueuePairs.connectionOf(arguments), pairs.find(arguments).stream());
        return Json.object();
    }

    private ObjectNode parkPath(long nowNs, JsonNode arguments) {
        int id = QueuePairs.connectionOf(arguments);
        int path = (int) Arguments.number(arguments, "path", 0, 255);
        if (Arguments.flag(arguments, "up", true)) {
            endpoint.unparkPath(nowNs, id, path);
        } else if (!endpoint.parkPath(nowNs, id, path)) {
            throw new Refused("E_STATE", "path " + path + " cannot be parked");
        }
        return Json.object();
    }

    private ObjectNode plane(long nowNs, JsonNode arguments) {
        int plane = (int) Arguments.number(arguments, "plane", 0, 15);
        if (Arguments.flag(arguments, "up", true)) {
            endpoint.planeUp(nowNs, plane);
        } else {
            endpoint.planeDown(nowNs, plane);
        }
        return Json.object();
    }

    private ObjectNode unreachable(long nowNs, JsonNode arguments) {
        endpoint.onUnreachable(
                nowNs, QueuePairs.connectionOf(arguments), (int) Arguments.number(arguments, "plane", 0, 15, 0), (int)
                        Arguments.number(arguments, "entropy", 0, 0xFFFF));
        return Json.object();
    }
}
