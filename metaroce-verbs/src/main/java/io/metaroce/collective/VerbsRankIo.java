package io.metaroce.collective;

import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.VerbsException;
import io.metaroce.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Messages and reads over the queue pairs of a rank. The number of a node is its work request's. */
final class VerbsRankIo implements RankIo {
    private static final int BATCH = 64;

    private final CompletionQueue queue;
    private final List<MemoryRegion> regions;
    private final Links links;
    private final LongSupplier clockNs;
    private final Compute compute;
    private final int[] computed; // nodes whose computation has ended
    private final WorkCompletion[] batch = WorkCompletion.array(BATCH);
    private int batchFrom;
    private int batchTo;
    private int computedCount;

    VerbsRankIo(
            CompletionQueue queue,
            List<MemoryRegion> regions,
            Links links,
            int nodesMax,
            Compute.Maker compute,
            LongSupplier clockNs) {
        this.queue = queue;
        this.regions = regions;
        this.links = links;
        this.clockNs = clockNs;
        computed = new int[nodesMax];
        this.compute = compute.of(regions, node -> computed[computedCount++] = node);
    }

    @Override
    public Posted post(Program program, int node, int immediate) {
        return switch (program.op(node)) {
            case WRITE_IMM -> underWay(write(program, node, immediate));
            case SEND -> underWay(send(program, node, immediate));
            case RECV_INTO -> underWay(receive(program, node));
            case READ -> underWay(read(program, node));
            case REDUCE, COPY, NOP, RECV -> compute.start(program, node) ? Posted.DONE : Posted.UNDER_WAY;
        };
    }

    private static Posted underWay(boolean posted) {
        return posted ? Posted.UNDER_WAY : Posted.FULL;
    }

    private boolean write(Program program, int node, int immediate) {
        Link link = link(program, node);
        int target = program.target(node).index();
        return link.queuePair(program.lane(node))
                .postWriteImmediate(
                        node,
                        regions.get(program.source(node).index()).lkey(),
                        program.sourceOffset(node),
                        program.length(node),
                        link.greeting().addresses()[target] + program.targetOffset(node),
                        link.greeting().rkeys()[target],
                        immediate,
                        0);
    }

    private boolean send(Program program, int node, int immediate) {
        return link(program, node)
                .queuePairOfSends(program.lane(node))
                .postSendImmediate(
                        node,
                        regions.get(program.source(node).index()).lkey(),
                        program.sourceOffset(node),
                        program.length(node),
                        immediate,
                        0);
    }

    private boolean receive(Program program, int node) {
        MemoryRegion region = regions.get(program.target(node).index());
        return link(program, node)
                .postReceiveInto(
                        program.lane(node), node, region.lkey(), program.targetOffset(node), program.length(node));
    }

    private boolean read(Program program, int node) {
        Link link = link(program, node);
        int source = program.source(node).index();
        return link.queuePair(program.lane(node))
                .postRead(
                        node,
                        regions.get(program.target(node).index()).lkey(),
                        program.targetOffset(node),
                        program.length(node),
                        link.greeting().addresses()[source] + program.sourceOffset(node),
                        link.greeting().rkeys()[source],
                        0);
    }

    private Link link(Program program, int node) {
        return Objects.requireNonNull(links.to(program.peer(node)), "not connected");
    }

    @Override
    public long poll() {
        if (computedCount > 0) {
            return computed[--computedCount];
        }
        while (true) {
            if (batchFrom == batchTo) {
                batchFrom = 0;
                batchTo = queue.poll(batch);
                if (batchTo == 0) {
                    return NOTHING;
                }
            }
            long event = eventOf(batch[batchFrom++]);
            if (event != NOTHING) {
                return event;
            }
        }
    }

    private long eventOf(WorkCompletion done) {
        boolean isReceive = Link.isReceive(done.wrId());
        Link link = isReceive ? links.to(Link.peerOf(done.wrId())) : null;
        if (link != null && link.queuePairs()[Link.numberOf(done.wrId())].qpNumber() != done.qpNumber()) {
            return NOTHING; // of an attempt to connect that failed
        }
        if (!done.isSuccess() && link != null) {
            link.lost(done.detail()); // no matter, unless something is still to come from it
            return NOTHING;
        }
        if (!done.isSuccess()) {
            throw new VerbsException(
                    "message " + done.wrId(),
                    done.detail(),
                    "all messages arrive",
                    "find out what became of that rank");
        }
        if (link == null) {
            return done.wrId();
        }
        if (!Link.isOfNode(done.wrId())) {
            link.postReceive(Link.numberOf(done.wrId()));
        } else if (Link.nodeOf(done.wrId()) != (done.immediate() & (Program.NODES_MAX - 1))) {
            throw new IllegalStateException("what was sent to node " + (done.immediate() & (Program.NODES_MAX - 1))
                    + " went to node " + Link.nodeOf(done.wrId()) + "; do all ranks run the same?");
        }
        return ARRIVED | (done.immediate() & 0xFFFF_FFFFL);
    }

    /** Why nothing comes from a rank any more, or null. */
    @Nullable
    String lost(int peer) {
        Link link = links.to(peer);
        return link == null ? null : link.lost();
    }

    /** Waits for completions that {@link #poll} then gives; false when the time is over. */
    boolean await(Duration timeout) {
        if (batchFrom == batchTo && computedCount == 0) {
            batchFrom = 0;
            batchTo = queue.await(batch, timeout);
        }
        return batchFrom < batchTo || computedCount > 0;
    }

    @Override
    public long nowNs() {
        return clockNs.getAsLong();
    }
}
