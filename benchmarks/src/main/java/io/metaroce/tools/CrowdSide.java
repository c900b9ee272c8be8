package io.metaroce.tools;

import io.metaroce.trace.DropReason;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.udp.UdpEndpointGroup;
import io.metaroce.verbs.AccessFlag;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.QpInitAttributes;
import io.metaroce.verbs.QpState;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.SendFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** One process' half of many connections: an endpoint for each event loop, a small queue pair for each connection. */
final class CrowdSide implements AutoCloseable {
    static final int SERVICE = 11;

    /** Receives have this bit in their number, sends have not; the rest is the number of the connection. */
    static final long RECEIVE = 1L << 40;

    /** Requests of each kind that a queue pair of a crowd holds. */
    static final int FEW = 2;

    /** What belongs to one event loop. */
    static final class Part {
        private final Device device;
        private final ProtectionDomain domain;
        private final CompletionQueue queue;
        private final MemoryRegion region;
        private final List<QueuePair> queuePairs = new ArrayList<>();
        private final int size;
        private final int depth;

        Part(UdpEndpoint endpoint, int connections, int size, int depth) {
            this.size = size;
            this.depth = depth;
            device = Device.open(endpoint);
            domain = device.createProtectionDomain();
            queue = device.createCompletionQueue(2 * depth * connections);
            region = domain.allocate(2L * size * connections, AccessFlag.LOCAL_WRITE);
        }

        Device device() {
            return device;
        }

        CompletionQueue queue() {
            return queue;
        }

        /** One more queue pair, with a receive posted. */
        QueuePair add() {
            return add(attributes -> attributes);
        }

        /** The same with other attributes. */
        synchronized QueuePair add(UnaryOperator<QpInitAttributes> change) {
            QueuePair made = domain.createQueuePair(
                    change.apply(QpInitAttributes.of(queue).withSendDepth(depth).withReceiveDepth(depth)));
            made.modify(QpState.INIT);
            queuePairs.add(made);
            postReceive(queuePairs.size() - 1);
            return made;
        }

        synchronized void postReceive(int connection) {
            queuePairs.get(connection).postReceive(RECEIVE | connection, region.lkey(), 2L * size * connection, size);
        }

        void send(int connection) {
            send(connection, connection);
        }

        synchronized void send(int connection, long wrId) {
            queuePairs
                    .get(connection)
                    .postSend(
                            wrId, region.lkey(), 2L * size * connection + size, size, SendFlag.mask(SendFlag.SIGNALED));
        }

        /** How a connection stands. */
        synchronized String describe(int connection) {
            return queuePairs
                    .get(connection)
                    .connection()
                    .map(of -> of + (of.isClosed() ? " is closed: " + of.closeReason() : " stands"))
                    .orElse("not connected");
        }

        synchronized int connections() {
            return queuePairs.size();
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
                .congestionMarks(marks)
                .engine(engine)
                .build();
        return new CrowdSide(UdpEndpointGroup.bind(config, loops), connections, size, FEW);
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
                        + " %d lost between loops, %d for no connection",
                connections,
                parts.size(),
                parts.stream().map(Part::connections).toList(),
                connections == 0 ? 0.0 : heap / 1024.0 / connections,
                ProcessFigures.openFiles(),
                ProcessFigures.loopCpuNs() / 1e9,
                allWakeUps(),
                group.handedOver(),
                group.lostBetweenLoops(),
                strangers());
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
