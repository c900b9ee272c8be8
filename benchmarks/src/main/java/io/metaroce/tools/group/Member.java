package io.metaroce.tools.group;

import io.metaroce.collective.Algorithm;
import io.metaroce.collective.Arithmetic;
import io.metaroce.collective.Buffer;
import io.metaroce.collective.Collective;
import io.metaroce.collective.Communicator;
import io.metaroce.collective.Compute;
import io.metaroce.collective.Program;
import io.metaroce.collective.Schedules;
import io.metaroce.collective.Task;
import io.metaroce.observe.EndpointJmx;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.tools.perf.Resent;
import io.metaroce.udp.FaultPlan;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.Device;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One rank of a measurement: sockets, memory, connections, and all sizes one after the other. */
public final class Member implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int DEPTH = 64;
    private static final int REPORT_BYTES = 2 * Long.BYTES; // time and number of wrong elements

    private final GroupOptions options;
    private final int rank;
    private final Arithmetic arithmetic;
    private final List<Task> tasks;
    private final Program barrier;
    private final Program gather;
    private final List<List<Program>> programs = new ArrayList<>();
    private final UdpEndpoint endpoint;
    private final EndpointJmx shown;
    private final Device device;
    private final Communicator communicator;

    private Member(Collective what, GroupOptions options, int rank, int ranks, String bind) {
        this.options = options;
        this.rank = rank;
        arithmetic = new Arithmetic(Sizes.type(options), options.reduction);
        tasks = Sizes.tasks(what, options, ranks);
        tasks.forEach(task -> programs.add(Schedules.compile(task)));
        List<Program> barriers = Schedules.compile(Task.of(Collective.BARRIER, Algorithm.DISSEMINATION, ranks, 0));
        List<Program> gathers =
                Schedules.compile(Task.of(Collective.ALL_GATHER, Algorithm.RING, ranks, ranks * REPORT_BYTES)
                        .withElementBytes(REPORT_BYTES));
        barrier = barriers.get(rank);
        gather = gathers.get(rank);
        List<List<Program>> all = new ArrayList<>(programs);
        all.add(barriers);
        all.add(gathers);
        endpoint = UdpEndpoint.bind(UdpConfig.builder()
                .bind(bind)
                .settings(settings(options))
                .faults(FaultPlan.NONE.withTarget(FaultPlan.Target.ALL).withLoss(options.loss.value()))
                .seed(options.seed + rank)
                .build());
        shown = EndpointJmx.register(endpoint);
        device = Device.open(endpoint);
        communicator = Communicator.open(
                device, Communicator.Shape.of(rank, DEPTH, all), Compute.atOnce(arithmetic), System::nanoTime);
    }

    /** Binds sockets at {@code bind}, {@code host:port}, and listens. */
    public static Member open(Collective what, GroupOptions options, int rank, int ranks, String bind) {
        return new Member(what, options, rank, ranks, bind);
    }

    private static EndpointConfig settings(GroupOptions options) {
        EndpointConfig udp = Profiles.udp();
        return udp.withPath(udp.path().withPaths(options.paths))
                .withConnection(udp.connection().withPayloadBytes(options.payload));
    }

    /** Where it is, {@code host:port}. */
    public String address() {
        return device.address().toString();
    }

    /** Connects to all others and runs every size; {@code table} is shown what comes of it, if there is one. */
    public List<Row> run(List<String> addresses, @Nullable GroupTable table) {
        communicator.connectAll(addresses, CONNECT);
        if (table != null) {
            table.begin(tasks.get(0), addresses);
        }
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < tasks.size(); i++) {
            Row row = measure(tasks.get(i), programs.get(i).get(rank));
            rows.add(row);
            if (table != null) {
                table.row(row);
            }
        }
        communicator.run(barrier, PATIENCE);
        if (table != null) {
            table.end(rows, resent());
        }
        return rows;
    }

    /** Packets this rank has sent again. */
    public long resent() {
        return Resent.packets(endpoint);
    }

    private Row measure(Task task, Program program) {
        Numbers numbers = new Numbers(task, arithmetic);
        ByteBuffer data = memory(Buffer.DATA);
        ByteBuffer result = memory(Buffer.RESULT);
        numbers.fill(rank, data, result);
        for (int i = 0; i < options.warmUp; i++) {
            communicator.run(program, PATIENCE);
        }
        communicator.run(barrier, PATIENCE);
        long beganNs = System.nanoTime();
        for (int i = 0; i < options.iterations; i++) {
            communicator.run(program, PATIENCE);
        }
        long tookNs = System.nanoTime() - beganNs;
        numbers.fill(rank, data, result);
        communicator.run(program, PATIENCE);
        return agreed(task, tookNs, numbers.wrong(rank, data, result));
    }

    private ByteBuffer memory(Buffer buffer) {
        return communicator.region(buffer).buffer().order(Arithmetic.ORDER);
    }

    /** Every rank tells all others what it has seen. */
    private Row agreed(Task task, long tookNs, long wrong) {
        ByteBuffer data = memory(Buffer.DATA);
        data.putLong(rank * REPORT_BYTES, tookNs).putLong(rank * REPORT_BYTES + Long.BYTES, wrong);
        communicator.run(gather, PATIENCE);
        long longestNs = 0;
        long allWrong = 0;
        for (int other = 0; other < task.ranks(); other++) {
            longestNs = Math.max(longestNs, data.getLong(other * REPORT_BYTES));
            allWrong += data.getLong(other * REPORT_BYTES + Long.BYTES);
        }
        return new Row(task, (double) longestNs / options.iterations, allWrong);
    }

    @Override
    public void close() {
        shown.close();
        communicator.close();
        device.close();
        endpoint.close();
    }
}
