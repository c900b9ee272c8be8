package io.metaroce.tools;

import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.LivenessConfig;
import io.metaroce.param.Profiles;
import io.metaroce.trace.DropReason;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.udp.UdpEndpointGroup;
import io.metaroce.verbs.AccessFlag;
import io.metaroce.verbs.AsyncEvent;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.QpInitAttributes;
import io.metaroce.verbs.QpState;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.SendFlag;
import io.metaroce.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/** One process' half of many connections: an endpoint for each event loop, a small queue pair for each connection. */
final class CrowdSide implements AutoCloseable {
    static final int SERVICE = 11;

    /** Receives have this bit in their number, sends have not; the rest is the number of the connection. */
    static final long RECEIVE = 1L << 40;

    /** Requests of each kind that a queue pair of a crowd holds. */
    static final int FEW = 2;

    /** Places in one region. */
    private static final int STRETCH = 256;

    /** How long a side waits that hears nothing of the other: on a busy machine a process may not run for a while. */
    private static final Duration DEAD_TIME = Duration.ofMinutes(2);

    /** For about a minute, since the last word of a handshake may wait as long in a receive buffer. */
    private static final int HANDSHAKE_TRIES = 10;

    /** What belongs to one event loop. */
    static final class Part {
        private final Device device;
        private final ProtectionDomain domain;
        private final CompletionQueue queue;
        private final List<MemoryRegion> regions = new ArrayList<>(); // a stretch of places each
        private final List<QueuePair> queuePairs = new ArrayList<>(); // by place
        private final ArrayDeque<Integer> free = new ArrayDeque<>(); // places that were given back
        private final Map<CloseReason, Integer> lost = new EnumMap<>(CloseReason.class);
        private final int size;
        private final int depth;

        Part(UdpEndpoint endpoint, int connections, int size, int depth) {
            this.size = size;
            this.depth = depth;
            device = Device.open(endpoint);
            domain = device.createProtectionDomain();
            queue = device.createCompletionQueue(2 * depth * connections);
            device.onEvent(this::note);
        }

        private void note(AsyncEvent event) {
            if (event instanceof AsyncEvent.ConnectionLost of) {
                synchronized (lost) {
                    lost.merge(of.reason(), 1, Integer::sum);
                }
            }
        }

        /** Connections that stood and were lost, by reason. */
        Map<CloseReason, Integer> lost() {
            synchronized (lost) {
                return new EnumMap<>(lost);
            }
        }

        Device device() {
            return device;
        }

        CompletionQueue queue() {
            return queue;
        }

        /** One more queue pair, with a receive posted; its place. */
        int add() {
            return add(attributes -> attributes);
        }

        /** The same with other attributes. */
        synchronized int add(UnaryOperator<QpInitAttributes> change) {
            QueuePair made = domain.createQueuePair(
                    change.apply(QpInitAttributes.of(queue).withSendDepth(depth).withReceiveDepth(depth)));
            made.modify(QpState.INIT);
            Integer before = free.poll();
            int place = before == null ? queuePairs.size() : before;
            if (before == null) {
                queuePairs.add(made);
            } else {
                queuePairs.set(place, made);
            }
            if (place / STRETCH == regions.size()) {
                regions.add(domain.allocate(2L * size * STRETCH, AccessFlag.LOCAL_WRITE));
            }
            postReceive(place);
            return place;
        }

        /** Closes a queue pair that did not come to be connected; the next one takes its place. */
        void giveBack(int place) {
            queuePair(place).close(Duration.ZERO);
            synchronized (this) {
                free.add(place);
            }
        }

        synchronized QueuePair queuePair(int place) {
            return queuePairs.get(place);
        }

        boolean isConnected(int place) {
            return queuePair(place).state() == QpState.RTS;
        }

        /** Whether a result is of the queue pair that has its place now, and not of one that was given back. */
        boolean isCurrent(WorkCompletion result) {
            return queuePair((int) result.wrId()).qpNumber() == result.qpNumber();
        }

        /** Posts a receive; false when there is no room. */
        synchronized boolean postReceive(int place) {
            return queuePairs
                    .get(place)
                    .postReceive(RECEIVE | place, regionOf(place).lkey(), offset(place), size);
        }

        boolean send(int place) {
            return send(place, place);
        }

        synchronized boolean send(int place, long wrId) {
            int flags = SendFlag.mask(SendFlag.SIGNALED);
            return queuePairs.get(place).postSend(wrId, regionOf(place).lkey(), offset(place) + size, size, flags);
        }

        private MemoryRegion regionOf(int place) {
            return regions.get(place / STRETCH);
        }

        private long offset(int place) {
            return 2L * size * (place % STRETCH);
        }

        /** How a connection stands. */
        String describe(int connection) {
            return queuePair(connection)
                    .connection()
                    .map(of ->
                            of + (of.isClosed() ? " is closed: " + of.closeReason() : " stands, paths " + of.paths()))
                    .orElse("not connected");
        }

        synchronized int connections() {
            return queuePairs.size() - free.size();
        }
    }

    private final UdpEndpointGroup group;
    private final List<Part> parts = new ArrayList<>();
    private final long heapBefore;
    private long cpuNs;
    private long wakeUps;
    private long markedNs;

    private CrowdSide(UdpEndpointGroup group, int connections, int size, int depth) {
        this.group = group;
        for (UdpEndpoint each : group.endpoints()) {
            parts.add(new Part(each, connections, size, depth));
        }
        heapBefore = ProcessFigures.heapBytes();
    }

    /** Binds to any port of an address. */
    static CrowdSide open(
            String address, int loops, int connections, int size, UdpConfig.Offload marks, UdpConfig.Engine engine) {
        UdpConfig config = UdpConfig.builder()
                .bind(Local.join(address, 0))
                .settings(patient(Profiles.udp()))
                .congestionMarks(marks)
                .engine(engine)
                .build();
        return new CrowdSide(UdpEndpointGroup.bind(config, loops), connections, size, FEW);
    }

    private static EndpointConfig patient(EndpointConfig config) {
        LivenessConfig usual = config.liveness();
        return config.withLiveness(new LivenessConfig(
                usual.handshakeRetryNs(),
                HANDSHAKE_TRIES,
                usual.closeTries(),
                usual.quiesceNs(),
                usual.keepaliveNs(),
                DEAD_TIME.toNanos(),
                usual.tombstoneNs()));
    }

    /** One connection with a queue pair of some depth. */
    static CrowdSide one(String address, int size, int depth) {
        return new CrowdSide(UdpEndpointGroup.bind(UdpConfig.on(Local.join(address, 0)), 1), 1, size, depth);
    }

    List<Part> parts() {
        return parts;
    }

    String address() {
        return group.endpoints().get(0).localAddress().toString();
    }

    /** Begins to measure what the loops do. */
    void mark() {
        cpuNs = ProcessFigures.loopCpuNs();
        wakeUps = allWakeUps();
        markedNs = System.nanoTime();
    }

    /** What the loops have done since {@link #mark}. */
    String sinceMark() {
        double seconds = (System.nanoTime() - markedNs) / 1e9;
        return String.format(
                Locale.ROOT,
                "%.3f%% of a processor, %.1f wake-ups/s",
                100 * (ProcessFigures.loopCpuNs() - cpuNs) / 1e9 / seconds,
                (allWakeUps() - wakeUps) / seconds);
    }

    /** What the connections cost and how their packets came. */
    String summary() {
        int connections = parts.stream().mapToInt(Part::connections).sum();
        long heap = ProcessFigures.heapBytes() - heapBefore;
        return String.format(
                Locale.ROOT,
                "%d connections on %d loops %s; %.1f KiB of heap per connection; %d open files; %.2f s of processor time of"
                        + " the loops, %d wake-ups; %d packets handed over,"
                        + " %d lost between loops, %d for no connection; connections lost: %s",
                connections,
                parts.size(),
                parts.stream().map(Part::connections).toList(),
                connections == 0 ? 0.0 : heap / 1024.0 / connections,
                ProcessFigures.openFiles(),
                ProcessFigures.loopCpuNs() / 1e9,
                allWakeUps(),
                group.handedOver(),
                group.lostBetweenLoops(),
                strangers(),
                lost().isEmpty() ? "none" : lost());
    }

    private Map<CloseReason, Integer> lost() {
        Map<CloseReason, Integer> all = new EnumMap<>(CloseReason.class);
        for (Part part : parts) {
            part.lost().forEach((reason, count) -> all.merge(reason, count, Integer::sum));
        }
        return all;
    }

    private long strangers() {
        return group.endpoints().stream()
                .mapToLong(each -> each.counters().get(DropReason.NO_CONNECTION))
                .sum();
    }

    private long allWakeUps() {
        return group.endpoints().stream().mapToLong(UdpEndpoint::wakeUps).sum();
    }

    @Override
    public void close() {
        parts.forEach(part -> part.device().close());
        group.close();
    }
}
