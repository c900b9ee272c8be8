package io.metaroce.tools.lab;

import io.metaroce.collective.Op;
import io.metaroce.collective.Program;
import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.Offer;
import io.metaroce.engine.StreamBinding;
import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.memory.RegionTable;
import io.metaroce.param.CloseReason;
import io.metaroce.sim.Host;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All ranks over the real engine, with one connection between those of them that have something to say. */
final class EngineRanks {
    private static final long BASE = 0x10_0000_0000L;
    private static final int FIRST_SERVICE = 1000;
    private static final int DEPTH_MAX = 64;
    private static final long LIMIT_NS = 10_000_000_000L;
    private static final long SETTLE_NS = 200_000;

    private final LabFabric fabric;
    private final List<Program> programs;
    private final List<EngineRank> ranks = new ArrayList<>();
    private final List<Join> joins = new ArrayList<>();
    private @Nullable ByteBuffer memory; // none where payload is not copied

    /** Puts rank r at the r-th of these places. */
    EngineRanks(LabFabric fabric, List<Program> programs, List<Integer> places, Ranks all, long bytesPerNs) {
        this.fabric = fabric;
        this.programs = programs;
        int lanes = programs.get(0).task().lanes();
        EngineRank.Layout layout = EngineRank.Layout.of(programs);
        for (int rank = 0; rank < programs.size(); rank++) {
            int number = rank;
            Program program = programs.get(rank);
            Host host = fabric.host(places.get(rank));
            layout.regions().add(register(host.endpoint().regions(), layout.bytes()));
            Runnable wake = () -> all.wake(number);
            ranks.add(new EngineRank(
                    host,
                    depth(program),
                    lanes * peers(program).size(),
                    layout,
                    new PhantomCompute(fabric.world(), bytesPerNs, wake),
                    wake));
        }
        connect(lanes);
    }

    // One memory for all where payload is copied: what it says is judged elsewhere.
    private MemoryRegion register(RegionTable table, long bytes) {
        if (!fabric.isPayloadCopied()) {
            return table.registerNull(Flow.DOMAIN, bytes, BASE, Access.ALL);
        }
        memory = memory == null ? ByteBuffer.allocateDirect(Math.toIntExact(bytes)) : memory;
        return table.register(Flow.DOMAIN, memory, BASE, Access.ALL);
    }

    EngineRank rank(int rank) {
        return ranks.get(rank);
    }

    /** Messages of the fullest stream, but not too many. */
    private static int depth(Program program) {
        int peers = Math.max(1, peers(program).size());
        int each = Math.max(program.messagesSent(), program.messagesReceived()) / peers + 2;
        return Math.min(DEPTH_MAX, each);
    }

    private static NavigableSet<Integer> peers(Program program) {
        NavigableSet<Integer> peers = new TreeSet<>();
        for (int node = 0; node < program.nodes(); node++) {
            if (program.op(node) == Op.WRITE_IMM || program.op(node) == Op.RECV) {
                peers.add(program.peer(node));
            }
        }
        return peers;
    }

    private void connect(int lanes) {
        for (int rank = 0; rank < ranks.size(); rank++) {
            for (int peer : peers(programs.get(rank)).headSet(rank)) {
                joins.add(new Join(rank, peer, lanes, FIRST_SERVICE + joins.size()));
            }
        }
        joins.forEach(Join::begin);
        if (!fabric.world().runUntil(() -> joins.stream().allMatch(join -> join.isEstablished), LIMIT_NS)) {
            throw new IllegalStateException(
                    "connections are not established at " + fabric.world().nowNs() + " ns");
        }
        fabric.world().run(SETTLE_NS);
    }

    /** A connection that is made. */
    private final class Join implements ConnectionListener {
        private final EngineRank from;
        private final EngineRank to;
        private final List<StreamBinding> source;
        private final List<StreamBinding> target;
        private final int service;
        private boolean isEstablished;

        Join(int rank, int peer, int lanes, int service) {
            from = ranks.get(rank);
            to = ranks.get(peer);
            source = from.bindings(peer, lanes);
            target = to.bindings(rank, lanes);
            this.service = service;
        }

        void begin() {
            to.host().commands().offer((now, endpoint) -> endpoint.listen(service, new Door()));
            to.host().doorbells().wake();
            fabric.world().at(fabric.world().nowPs() + 1_000_000, () -> {
                from.host()
                        .commands()
                        .offer((now, endpoint) ->
                                endpoint.connect(now, to.host().localAddress(), service, source, new byte[0], this));
                from.host().doorbells().wake();
            });
        }

        @Override
        public void established(long nowNs, int id, byte[] privateData) {
            isEstablished = true;
        }

        @Override
        public void closed(long nowNs, int id, CloseReason reason, String detail, byte[] privateData) {
            throw new IllegalStateException(from.host() + " to " + to.host() + " closed: " + reason + " " + detail);
        }

        /** Accepts this one connection. */
        private final class Door implements ConnectionListener {
            @Override
            public void offered(long nowNs, int id, Offer offer) {
                to.host().commands().offer((now, endpoint) -> endpoint.accept(now, id, target, new byte[0]));
                to.host().doorbells().wake();
            }
        }
    }
}
