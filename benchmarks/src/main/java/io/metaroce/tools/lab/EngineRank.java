package io.metaroce.tools.lab;

import io.metaroce.collective.Buffer;
import io.metaroce.collective.Program;
import io.metaroce.collective.RankIo;
import io.metaroce.engine.StreamBinding;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.queue.ArmMode;
import io.metaroce.queue.CompletionCell;
import io.metaroce.queue.CompletionRing;
import io.metaroce.queue.ReceiveCell;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendCell;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.Signalling;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A rank whose messages are Writes with immediate, Sends and Reads of the real engine. Bytes take time; what they say
 * is nobody's matter.
 */
final class EngineRank implements RankIo {
    private static final int LANE_BITS = 16;
    private static final long OF_NODE = 1L << 62;

    private final Host host;
    private final Layout layout;
    private final CompletionRing completions;
    private final PhantomCompute compute;
    private final Map<Integer, List<Stream>> streams = new TreeMap<>(); // by peer, of each lane
    private final int depth;

    /** One stream to a peer. */
    private record Stream(SendRing sends, ReceiveRing receives, long receiveId) {}

    EngineRank(Host host, int depth, int streamCount, Layout layout, PhantomCompute compute, Runnable wake) {
        this.host = host;
        this.depth = depth;
        this.layout = layout;
        this.compute = compute;
        completions = new CompletionRing(2 * depth * streamCount + 2, host.doorbells(), wake::run);
    }

    /**
     * Where buffers lie: at the same offsets of the region of every rank.
     *
     * @param at offset of each buffer, and the end
     * @param regions of each rank
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Layout(long[] at, List<MemoryRegion> regions) {
        /** Room for all these programs; nothing is registered yet. */
        static Layout of(List<Program> programs) {
            Buffer[] buffers = Buffer.values();
            long[] at = new long[buffers.length + 1];
            for (int i = 0; i < buffers.length; i++) {
                Buffer buffer = buffers[i];
                at[i + 1] = at[i]
                        + programs.stream()
                                .mapToLong(program -> program.bufferBytes(buffer))
                                .max()
                                .orElse(0);
            }
            return new Layout(at, new ArrayList<>());
        }

        /** Bytes of the region of a rank. */
        long bytes() {
            return Math.max(1, at[at.length - 1]);
        }

        long at(Buffer buffer, int offset) {
            return at[buffer.index()] + offset;
        }
    }

    Host host() {
        return host;
    }

    /** Makes the streams to a peer; all receives of the first {@code lanes} are posted, those of sends are not. */
    List<StreamBinding> bindings(int peer, int lanes, int lanesOfSends) {
        List<Stream> made = new ArrayList<>();
        List<StreamBinding> bindings = new ArrayList<>();
        for (int lane = 0; lane < lanes + lanesOfSends; lane++) {
            SendRing sends =
                    new SendRing(depth, 1, 0, 0, completions, completions.attach(), Signalling.ALL, host.doorbells());
            ReceiveRing receives = new ReceiveRing(depth, 1, 0, completions, completions.attach(), host.doorbells());
            Stream stream = new Stream(sends, receives, Long.MIN_VALUE | ((long) peer << LANE_BITS) | lane);
            made.add(stream);
            for (int i = 0; i < depth && lane < lanes; i++) {
                postReceive(stream);
            }
            receives.ring();
            bindings.add(new StreamBinding(2 * lane, LabMemory.DOMAIN, sends, receives));
        }
        streams.put(peer, made);
        return bindings;
    }

    private static void postReceive(Stream stream) {
        ReceiveCell cell = Objects.requireNonNull(stream.receives().acquire(), "no room for a receive");
        cell.wrId(stream.receiveId());
        stream.receives().post(cell);
    }

    @Override
    public Posted post(Program program, int node, int immediate) {
        long source = layout.at(program.source(node), program.sourceOffset(node));
        long target = layout.at(program.target(node), program.targetOffset(node));
        return switch (program.op(node)) {
            case WRITE_IMM -> post(program, node, WrOpcode.RDMA_WRITE_WITH_IMM, source, target, immediate);
            case SEND -> post(program, node, WrOpcode.SEND_WITH_IMM, source, target, immediate);
            case READ -> post(program, node, WrOpcode.RDMA_READ, target, source, 0);
            case RECV_INTO -> receive(program, node, target);
            case REDUCE, COPY, NOP, RECV -> compute.start(program, node) ? Posted.DONE : Posted.UNDER_WAY;
        };
    }

    private Posted post(Program program, int node, WrOpcode opcode, long local, long remote, int immediate) {
        int lane = program.lane(node)
                + (opcode == WrOpcode.SEND_WITH_IMM ? program.task().lanes() : 0);
        SendRing sends = stream(program.peer(node), lane).sends();
        SendCell cell = sends.acquire();
        if (cell == null) {
            return Posted.FULL;
        }
        MemoryRegion region = layout.regions().get(program.peer(node));
        cell.wrId(node)
                .opcode(opcode)
                .flags(0)
                .rkey(region.key())
                .remoteAddress(region.base() + remote)
                .immediate(immediate);
        if (program.length(node) > 0) {
            cell.addSge(layout.regions().get(program.rank()).key(), local, program.length(node));
        }
        sends.post(cell);
        sends.ring();
        return Posted.UNDER_WAY;
    }

    private Posted receive(Program program, int node, long target) {
        Stream stream =
                stream(program.peer(node), program.lane(node) + program.task().lanes());
        ReceiveCell cell = stream.receives().acquire();
        if (cell == null) {
            return Posted.FULL;
        }
        cell.wrId(stream.receiveId() | OF_NODE);
        cell.addSge(layout.regions().get(program.rank()).key(), target, program.length(node));
        stream.receives().post(cell);
        stream.receives().ring();
        return Posted.UNDER_WAY;
    }

    private Stream stream(int peer, int lane) {
        return Objects.requireNonNull(streams.get(peer), "not connected").get(lane);
    }

    @Override
    public long poll() {
        if (compute.hasDone()) {
            return compute.takeDone();
        }
        CompletionCell cell = completions.take();
        if (cell == null) {
            completions.arm(ArmMode.ANY);
            cell = completions.take();
        }
        return cell == null ? NOTHING : event(cell);
    }

    private long event(CompletionCell cell) {
        long id = cell.wrId();
        int immediate = cell.immediate();
        if (cell.status() != WcStatus.SUCCESS) {
            throw new IllegalStateException(host + ": a message ended as " + cell.status());
        }
        completions.release(cell);
        if (id >= 0) {
            return id;
        }
        if ((id & OF_NODE) == 0) {
            Stream stream = stream((int) ((id & Long.MAX_VALUE) >>> LANE_BITS), (int) id & ((1 << LANE_BITS) - 1));
            postReceive(stream);
            stream.receives().ring();
        }
        return ARRIVED | (immediate & 0xFFFF_FFFFL);
    }

    @Override
    public long nowNs() {
        return host.world().nowNs();
    }
}
