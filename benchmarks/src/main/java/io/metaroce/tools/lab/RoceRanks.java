package io.metaroce.tools.lab;

import io.metaroce.collective.Op;
import io.metaroce.collective.Program;
import io.metaroce.collective.RankIo;
import io.metaroce.sim.roce.RoceChannel;
import io.metaroce.sim.roce.RoceListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All ranks over models of RoCEv2: the same programs, a channel for each direction and lane of a pair. */
final class RoceRanks {
    private final RoceTraffic traffic;
    private final List<Integer> places;
    private final List<Rank> ranks = new ArrayList<>();

    /** Puts rank r at the r-th of these places. */
    RoceRanks(LabFabric fabric, List<Program> programs, List<Integer> places, Ranks all, long bytesPerNs) {
        this.places = places;
        traffic = new RoceTraffic(fabric);
        for (int rank = 0; rank < programs.size(); rank++) {
            int number = rank;
            Runnable wake = () -> all.wake(number);
            ranks.add(new Rank(fabric, rank, new PhantomCompute(fabric.world(), bytesPerNs, wake), wake));
            traffic.host(places.get(rank)).listener(ranks.get(rank));
        }
    }

    RankIo rank(int rank) {
        return ranks.get(rank);
    }

    RoceTraffic traffic() {
        return traffic;
    }

    /** One of them. */
    private final class Rank implements RankIo, RoceListener {
        private final LabFabric fabric;
        private final int number;
        private final PhantomCompute compute;
        private final Runnable wake;
        private final Map<Integer, RoceChannel> channels = new TreeMap<>(); // by peer * lanes + lane
        private final ArrayDeque<Long> happened = new ArrayDeque<>();

        Rank(LabFabric fabric, int number, PhantomCompute compute, Runnable wake) {
            this.fabric = fabric;
            this.number = number;
            this.compute = compute;
            this.wake = wake;
        }

        @Override
        public Posted post(Program program, int node, int immediate) {
            if (program.op(node) != Op.WRITE_IMM) {
                return compute.start(program, node) ? Posted.DONE : Posted.UNDER_WAY;
            }
            int peer = program.peer(node);
            int key = peer * program.task().lanes() + program.lane(node);
            channels.computeIfAbsent(key, unused -> traffic.add(places.get(number), places.get(peer)))
                    .send(program.length(node), node, immediate);
            return Posted.UNDER_WAY;
        }

        @Override
        public long poll() {
            if (compute.hasDone()) {
                return compute.takeDone();
            }
            Long event = happened.poll();
            return event == null ? NOTHING : event;
        }

        @Override
        public long nowNs() {
            return fabric.world().nowNs();
        }

        @Override
        public void arrived(long timePs, RoceChannel over, int immediate) {
            happened.addLast(ARRIVED | (immediate & 0xFFFF_FFFFL));
            wake.run();
        }

        @Override
        public void sent(long timePs, RoceChannel over, int tag) {
            happened.addLast((long) tag);
            wake.run();
        }
    }
}
