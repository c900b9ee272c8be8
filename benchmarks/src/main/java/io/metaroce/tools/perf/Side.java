package io.metaroce.tools.perf;

import io.metaroce.observe.EndpointJmx;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.param.SchedulerConfig;
import io.metaroce.tools.KeyFile;
import io.metaroce.tools.Local;
import io.metaroce.tools.Recording;
import io.metaroce.udp.Cut;
import io.metaroce.udp.FaultPlan;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.AccessFlag;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.QpInitAttributes;
import io.metaroce.verbs.QpState;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.SharedReceiveQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One process' half of a test: sockets, device, domain, queue. */
final class Side implements AutoCloseable {
    private static final int CONTROL_DEPTH = 16;
    static final int RECEIVE_DEPTH_MAX = 512;

    private final UdpEndpoint endpoint;
    private final Recording recording;
    private final EndpointJmx shown;
    private final Device device;
    private final ProtectionDomain domain;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private @Nullable SharedReceiveQueue sharedReceives;

    private Side(UdpEndpoint endpoint, Recording recording) {
        this.endpoint = endpoint;
        this.recording = recording;
        this.shown = EndpointJmx.register(endpoint);
        this.device = Device.open(endpoint);
        this.domain = device.createProtectionDomain();
    }

    /** Binds sockets as the options say. */
    static Side open(PerfOptions options, String address, int port) throws IOException {
        EndpointConfig settings = Profiles.udp();
        settings = settings.withPath(settings.path().withPaths(options.paths))
                .withConnection(settings.connection().withPayloadBytes(options.payload))
                .withSecurity(KeyFile.security(options.keyFile));
        if (options.burst > 0) {
            settings = settings.withScheduler(new SchedulerConfig(options.burst));
        }
        FaultPlan faults = FaultPlan.NONE
                .withTarget(FaultPlan.Target.ALL)
                .withLoss(options.loss.value())
                .withDuplicate(options.duplicate.value())
                .withReorder(options.reorder.value(), 4);
        Recording recording = Recording.open(options.trace, options.capture);
        UdpConfig config = UdpConfig.builder()
                .bind(Local.join(address, port))
                .settings(settings)
                .faults(faults)
                .seed(options.seed)
                .dataDscp(options.tos >> 2)
                .events(recording.events())
                .idle(options.idle())
                .spin(options.spinFor == null ? Duration.ZERO : options.spinFor.duration())
                .congestionMarks(options.congestionMarks)
                .build();
        Side side = new Side(UdpEndpoint.bind(config), recording);
        recording.attach(side.endpoint);
        if (options.cut != null) {
            side.endpoint.faults().cut(Cut.path(options.cut.path()).after(options.cut.after()));
        }
        return side;
    }

    /** A queue pair for control messages, then one for each of {@code data}. */
    CompletionQueue makeQueuePairs(int data, int depth, PerfOptions options) {
        queuePairs.forEach(QueuePair::close); // of a client that went away while it connected
        queuePairs.clear();
        if (sharedReceives != null) {
            sharedReceives.close();
            sharedReceives = null;
        }
        int receives = Math.min(depth, RECEIVE_DEPTH_MAX);
        CompletionQueue queue = device.createCompletionQueue(2 * CONTROL_DEPTH + data * (depth + receives) + 2);
        queuePairs.add(domain.createQueuePair(
                QpInitAttributes.of(queue).withSendDepth(CONTROL_DEPTH).withReceiveDepth(CONTROL_DEPTH)));
        QpInitAttributes attributes = QpInitAttributes.of(queue)
                .withSendDepth(depth)
                .withReceiveDepth(receives)
                .withInlineBytesMax(options.inline);
        if (options.sharedReceives) {
            sharedReceives = domain.createSharedReceiveQueue(data * receives, 1);
            attributes = attributes.withSharedReceiveQueue(sharedReceives);
        }
        for (int i = 0; i < data; i++) {
            queuePairs.add(domain.createQueuePair(attributes));
        }
        for (QueuePair queuePair : queuePairs) {
            queuePair.modify(QpState.INIT); // receives may be posted from here on
        }
        return queue;
    }

    UdpEndpoint endpoint() {
        return endpoint;
    }

    Device device() {
        return device;
    }

    QueuePair control() {
        return queuePairs.get(0);
    }

    QueuePair data(int i) {
        return queuePairs.get(i + 1);
    }

    /** Whether receives are for whichever queue pair has a message first. */
    boolean sharesReceives() {
        return sharedReceives != null;
    }

    /** Posts a receive of a data queue pair, or of all of them when they share. */
    boolean postReceive(int qp, long wrId, int lkey, long offset, int length) {
        return sharedReceives != null
                ? sharedReceives.postReceive(wrId, lkey, offset, length)
                : data(qp).postReceive(wrId, lkey, offset, length);
    }

    QueuePair[] all() {
        return queuePairs.toArray(new QueuePair[0]);
    }

    /** Which data queue pair has this number; -1 for the control queue pair. */
    int indexOf(int qpNumber) {
        for (int i = 0; i < queuePairs.size(); i++) {
            if (queuePairs.get(i).qpNumber() == qpNumber) {
                return i - 1;
            }
        }
        throw new IllegalArgumentException("no queue pair has number " + qpNumber);
    }

    MemoryRegion region(long bytes) {
        return domain.allocate(Math.max(bytes, 64), AccessFlag.values());
    }

    @Override
    public void close() {
        shown.close();
        device.close();
        endpoint.close();
        try {
            recording.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
