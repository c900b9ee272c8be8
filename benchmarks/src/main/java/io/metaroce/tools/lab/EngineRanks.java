package io.metaroce.tools.lab;

import io.metaroce.collective.Op;
import io.metaroce.collective.Program;
import io.metaroce.collective.Transfer;
import io.metaroce.sim.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** All ranks over the real engine, with one connection between those of them that have something to say. */
final class EngineRanks {
    private static final int DEPTH_MAX = 64;

    private final LabFabric fabric;
    private final List<Program> programs;
    private final List<EngineRank> ranks = new ArrayList<>();

    /** Puts rank r at the r-th of these places. */
    EngineRanks(LabFabric fabric, List<Program> programs, List<Integer> places, Ranks all, long bytesPerNs) {
        this.fabric = fabric;
        this.programs = programs;
        int lanes = programs.get(0).task().lanes();
        int lanesOfSends = programs.get(0).task().transfer() == Transfer.SEND ? lanes : 0;
        EngineRank.Layout layout = EngineRank.Layout.of(programs);
        LabMemory memory = new LabMemory(fabric, layout.bytes());
        for (int rank = 0; rank < programs.size(); rank++) {
            int number = rank;
            Program program = programs.get(rank);
            Host host = fabric.host(places.get(rank));
            layout.regions().add(memory.register(host));
            Runnable wake = () -> all.wake(number);
            ranks.add(new EngineRank(
                    host,
                    depth(program),
                    (lanes + lanesOfSends) * peers(program).size(),
                    layout,
                    new PhantomCompute(fabric.world(), bytesPerNs, wake),
                    wake));
        }
        connect(lanes, lanesOfSends);
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
            Op op = program.op(node);
            if (op.isMessage() || op.isArrival() || op == Op.READ) {
                peers.add(program.peer(node));
            }
        }
        return peers;
    }

    private void connect(int lanes, int lanesOfSends) {
        List<Join> joins = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            for (int peer : peers(programs.get(rank)).headSet(rank)) {
                EngineRank from = ranks.get(rank);
                EngineRank to = ranks.get(peer);
                joins.add(new Join(
                        joins.size(),
                        from.host(),
                        to.host(),
                        from.bindings(peer, lanes, lanesOfSends),
                        to.bindings(rank, lanes, lanesOfSends)));
            }
        }
        Join.makeAll(fabric.world(), joins);
    }
}
