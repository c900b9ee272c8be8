package io.metaroce.compliance.adapter;

import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.utp.UtpException;
import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.EndpointHost;
import io.metaroce.queue.Command;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Connection;
import io.metaroce.verbs.ConnectionRequest;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.Listener;
import io.metaroce.verbs.PendingConnection;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.QpInitAttributes;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.SendFlag;
import io.metaroce.verbs.SharedReceiveQueue;
import io.metaroce.verbs.VerbsConnectException;
import io.metaroce.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Connections of an agent and what is posted on them. Thread rule: the agent's thread. */
final class AgentTraffic {
    private static final int CQ_DEPTH = 4096;
    private static final int QUEUE_DEPTH = 512;

    /** The commands it knows. */
    static final Set<String> COMMANDS = Set.of(
            "listen",
            "connect",
            "close",
            "path_admin",
            "icmp",
            "cq",
            "post_recv",
            "post_send",
            "post_write",
            "post_read",
            "post_cas",
            "post_faa",
            "post_swap",
            "stream_close");

    private static final long ANSWER_NS = 5_000_000_000L;

    private final EndpointHost host;
    private final Set<Integer> claimed = new TreeSet<>();
    private final Device device;
    private final List<ProtectionDomain> domains;
    private final AgentMemory memory;
    private final Consumer<ObjectNode> events;
    private final CompletionQueue queue;
    private final WorkCompletion[] polled = WorkCompletion.array(64);
    private final Map<Integer, Link> links = new TreeMap<>();
    private final Map<Integer, int[]> placeOfQp = new TreeMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private ObjectNode acceptWith = Json.object();
    private int nextConn = 1;
    private boolean isHeld;

    /** One connection with its queue pairs, in the order of its streams. */
    private static final class Link {
        private final List<QueuePair> pairs;
        private final @Nullable SharedReceiveQueue shared;
        private @Nullable PendingConnection pending;
        private @Nullable Connection connection;
        private boolean isClosedTold;
        private int id;

        Link(List<QueuePair> pairs, @Nullable SharedReceiveQueue shared) {
            this.pairs = pairs;
            this.shared = shared;
        }
    }

    AgentTraffic(
            EndpointHost host,
            Device device,
            List<ProtectionDomain> domains,
            AgentMemory memory,
            Consumer<ObjectNode> events) {
        this.host = host;
        this.device = device;
        this.domains = domains;
        this.memory = memory;
        this.events = events;
        queue = device.createCompletionQueue(CQ_DEPTH);
    }

    ObjectNode call(String command, ObjectNode arguments) {
        return switch (command) {
            case "listen" -> listen(arguments);
            case "connect" -> connect(arguments);
            case "close" -> close(arguments);
            case "path_admin" -> parkPath(arguments);
            case "icmp" -> unreachable(arguments);
            case "cq" -> hold(arguments);
            case "post_recv" -> postReceive(arguments);
            case "post_send", "post_write", "post_read", "post_cas", "post_faa", "post_swap" ->
                posted(post(command, arguments));
            case "stream_close" -> closeStream(arguments);
            default -> throw new UtpException("E_UNSUPPORTED", "no command " + command);
        };
    }

    private ObjectNode listen(ObjectNode arguments) {
        acceptWith = arguments.deepCopy();
        listeners.add(device.listen(arguments.path("service").asInt(7)));
        return Json.object();
    }

    private Link link(List<QueuePair> pairs, @Nullable SharedReceiveQueue shared) {
        Link link = new Link(pairs, shared);
        links.put(nextConn, link);
        for (int i = 0; i < pairs.size(); i++) {
            placeOfQp.put(pairs.get(i).qpNumber(), new int[] {nextConn, i});
        }
        nextConn++;
        return link;
    }

    private Link newLink(int streams, ObjectNode arguments) {
        QpInitAttributes attributes = QpInitAttributes.of(queue)
                .withSendDepth(QUEUE_DEPTH)
                .withReceiveDepth(QUEUE_DEPTH)
                .withSignalAll()
                .withRnrRetries(arguments.path("rnr_retries").asInt(7))
                .withRnrDelay(
                        Duration.ofNanos(1000L * arguments.path("rnr_delay_us").asInt(1000)));
        SharedReceiveQueue shared = arguments.path("shared").asBoolean(false)
                ? domains.get(0).createSharedReceiveQueue(QUEUE_DEPTH, 1)
                : null;
        if (shared != null) {
            attributes = attributes.withSharedReceiveQueue(shared);
        }
        List<QueuePair> pairs = new ArrayList<>();
        for (int i = 0; i < streams; i++) {
            pairs.add(domains.get(0).createQueuePair(attributes));
        }
        return link(pairs, shared);
    }

    private ObjectNode connect(ObjectNode arguments) {
        int number = nextConn;
        Link link = newLink(arguments.path("streams").asInt(1), arguments);
        link.pending = device.connector()
                .start(
                        arguments.path("to").asString(),
                        arguments.path("service").asInt(7),
                        link.pairs.toArray(QueuePair[]::new));
        claim(link);
        return Json.object().put("conn", number);
    }

    private Link find(ObjectNode arguments) {
        Link link = links.get(arguments.path("conn").asInt(-1));
        if (link == null) {
            throw new UtpException("E_BADARG", "no connection " + arguments.path("conn"));
        }
        return link;
    }

    Connection connection(ObjectNode arguments) {
        Connection connection = find(arguments).connection;
        if (connection == null) {
            throw new UtpException("E_STATE", "the connection does not stand");
        }
        return connection;
    }

    /** Window of a whole connection, 0 when it is gone. */
    long windowBytes(ObjectNode arguments) {
        int id = find(arguments).id;
        long[] window = {0};
        onEngine((nowNs, endpoint) -> {
            ConnectionView view = endpoint.view(id);
            window[0] = view == null ? 0 : view.windowBytes();
        });
        return window[0];
    }

    private ObjectNode close(ObjectNode arguments) {
        int id = find(arguments).id;
        boolean isAbort = arguments.path("mode").asString("graceful").equals("abort");
        onEngine((nowNs, endpoint) -> {
            if (isAbort) {
                endpoint.abort(nowNs, id);
            } else {
                endpoint.close(nowNs, id);
            }
        });
        return Json.object();
    }

    private ObjectNode parkPath(ObjectNode arguments) {
        int id = find(arguments).id;
        int path = arguments.path("path").asInt();
        boolean isUp = arguments.path("up").asBoolean();
        onEngine((nowNs, endpoint) -> {
            if (isUp) {
                endpoint.unparkPath(nowNs, id, path);
            } else {
                boolean unused = endpoint.parkPath(nowNs, id, path);
            }
        });
        return Json.object();
    }

    private ObjectNode unreachable(ObjectNode arguments) {
        int id = find(arguments).id;
        onEngine((nowNs, endpoint) -> endpoint.onUnreachable(
                nowNs,
                id,
                arguments.path("plane").asInt(),
                arguments.path("entropy").asInt()));
        return Json.object();
    }

    private void onEngine(Command<Endpoint> command) {
        boolean[] done = {false};
        host.commands().offer((nowNs, endpoint) -> {
            command.run(nowNs, endpoint);
            done[0] = true;
            host.signal();
        });
        host.doorbells().wake();
        if (!host.await(() -> done[0], ANSWER_NS)) {
            throw new UtpException("E_INTERNAL", "the endpoint gave no answer");
        }
    }

    /** The engine's number of the newest connection: the one nobody has claimed. */
    private void claim(Link link) {
        onEngine((nowNs, endpoint) -> {
            for (int id : endpoint.connectionIds()) {
                if (claimed.add(id)) {
                    link.id = id;
                }
            }
        });
    }

    private ObjectNode closeStream(ObjectNode arguments) {
        pair(arguments).close(Duration.ZERO);
        return Json.object();
    }

    private ObjectNode hold(ObjectNode arguments) {
        isHeld = arguments.path("mode").asString().equals("hold");
        return Json.object();
    }

    private QueuePair pair(ObjectNode arguments) {
        List<QueuePair> pairs = find(arguments).pairs;
        int stream = arguments.path("stream").asInt(0);
        if (stream < 0 || stream >= pairs.size()) {
            throw new UtpException("E_BADARG", "no stream " + stream);
        }
        return pairs.get(stream);
    }

    private static ObjectNode posted(boolean isPosted) {
        if (!isPosted) {
            throw new UtpException("E_NORES", "the queue is full");
        }
        return Json.object();
    }

    private ObjectNode postReceive(ObjectNode arguments) {
        long wr = arguments.path("wr").asLong();
        int lkey = memory.region(arguments).lkey();
        long offset = arguments.path("off").asLong();
        int length = arguments.path("len").asInt();
        SharedReceiveQueue shared = find(arguments).shared;
        return posted(
                shared != null
                        ? shared.postReceive(wr, lkey, offset, length)
                        : pair(arguments).postReceive(wr, lkey, offset, length));
    }

    private boolean post(String command, ObjectNode arguments) {
        QueuePair pair = pair(arguments);
        long wr = arguments.path("wr").asLong();
        int lkey = memory.region(arguments).lkey();
        long offset = arguments.path("off").asLong();
        int length = arguments.path("len").asInt();
        int rkey = (int) arguments.path("rkey").asLong();
        long address = arguments.path("rva").asLong();
        int immediate = (int) arguments.path("imm").asLong();
        int flags = SendFlag.SIGNALED.value();
        for (JsonNode flag : arguments.path("flags")) {
            flags |= SendFlag.valueOf(flag.asString()).value();
        }
        return switch (command) {
            case "post_send" -> {
                if (arguments.has("inv")) {
                    yield pair.postSendInvalidate(
                            wr, lkey, offset, length, (int) arguments.get("inv").asLong(), flags);
                }
                yield arguments.has("imm")
                        ? pair.postSendImmediate(wr, lkey, offset, length, immediate, flags)
                        : pair.postSend(wr, lkey, offset, length, flags);
            }
            case "post_write" ->
                arguments.has("imm")
                        ? pair.postWriteImmediate(wr, lkey, offset, length, address, rkey, immediate, flags)
                        : pair.postWrite(wr, lkey, offset, length, address, rkey, flags);
            case "post_read" -> pair.postRead(wr, lkey, offset, length, address, rkey, flags);
            case "post_cas" ->
                pair.postCompareAndSwap(
                        wr,
                        lkey,
                        offset,
                        address,
                        rkey,
                        arguments.path("a").asLong(),
                        arguments.path("b").asLong(),
                        flags);
            case "post_faa" ->
                pair.postFetchAndAdd(
                        wr, lkey, offset, address, rkey, arguments.path("a").asLong(), flags);
            default ->
                pair.postSwap(
                        wr, lkey, offset, address, rkey, arguments.path("a").asLong(), flags);
        };
    }

    // ---- events

    /** Looks for what has happened and tells it. */
    void pump() {
        for (Listener listener : listeners) {
            ConnectionRequest request = listener.poll();
            if (request != null) {
                int number = nextConn;
                Link link = newLink(request.streams(), acceptWith);
                events.accept(Json.object()
                        .put("evt", "conn_state")
                        .put("conn", number)
                        .put("state", "offered"));
                link.pending = request.acceptSoon(new byte[0], link.pairs.toArray(QueuePair[]::new));
                claim(link);
            }
        }
        links.forEach(this::look);
        int count = isHeld ? 0 : queue.poll(polled);
        while (count > 0) {
            for (int i = 0; i < count; i++) {
                tell(polled[i]);
            }
            count = queue.poll(polled);
        }
    }

    private void look(int number, Link link) {
        if (link.pending != null && link.pending.isDone()) {
            PendingConnection done = link.pending;
            link.pending = null;
            ObjectNode event = Json.object().put("evt", "conn_state").put("conn", number);
            try {
                link.connection = done.await(Duration.ofMillis(1));
                events.accept(event.put("state", "established"));
            } catch (VerbsConnectException e) {
                link.isClosedTold = true;
                events.accept(event.put("state", "failed")
                        .put("why", e.reason().map(Enum::name).orElse("")));
            }
        }
        Connection connection = link.connection;
        if (connection != null && connection.isClosed() && !link.isClosedTold) {
            link.isClosedTold = true;
            events.accept(Json.object()
                    .put("evt", "conn_state")
                    .put("conn", number)
                    .put("state", "closed")
                    .put("why", connection.closeReason().map(Enum::name).orElse("")));
        }
    }

    private void tell(WorkCompletion done) {
        int[] place = placeOfQp.getOrDefault(done.qpNumber(), new int[] {0, 0});
        ObjectNode event = Json.object()
                .put("evt", "cqe")
                .put("conn", place[0])
                .put("stream", place[1])
                .put("wr", done.wrId())
                .put("op", done.opcode().name())
                .put("status", done.status().name())
                .put("len", done.byteLength());
        if (done.hasImmediate()) {
            event.put("imm", Integer.toUnsignedLong(done.immediate()));
        }
        if (done.hasInvalidatedRkey()) {
            event.put("inv", Integer.toUnsignedLong(done.invalidatedRkey()));
        }
        events.accept(event);
    }
}
