package io.metaroce.collective;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

/**
 * Ranks that share a process and a virtual clock; whatever can take time takes as much as a seed draws. Messages of one
 * stream arrive in order. Bytes are read and written as early or as late as a transport may do it, so that a race
 * shows.
 */
final class MemoryRanks {
    private final Random random;
    private final int delayMax;
    private final int depth;
    private final Arithmetic arithmetic;
    private final List<Rank> ranks = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Map<String, Long> lastArrival = new TreeMap<>();
    private final Map<String, Integer> underWay = new TreeMap<>();
    private final Map<String, ArrayDeque<int[]>> receives = new TreeMap<>(); // node, buffer, offset, length
    private long now;
    private long number;

    /** Something that happens later; of the same instant the earlier planned first. */
    private record Event(long at, long number, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    /**
     * So many ranks.
     *
     * @param bytes of each buffer
     * @param delayMax longest delay; 0: everything happens at once
     * @param depth messages of a stream under way at once
     */
    MemoryRanks(int count, int bytes, int nodes, Arithmetic arithmetic, long seed, int delayMax, int depth) {
        this.arithmetic = arithmetic;
        this.delayMax = delayMax;
        this.depth = depth;
        random = new Random(seed);
        for (int i = 0; i < count; i++) {
            ranks.add(new Rank(i, bytes, nodes, count));
        }
    }

    ByteBuffer memory(int rank, Buffer buffer) {
        return ranks.get(rank).memory.get(buffer.index());
    }

    /** What happens at a rank before it begins a run, and after it is done with it. */
    interface Application {
        void fill(int rank, int run);

        void look(int rank, int run);
    }

    /** Runs these programs one after the other; every rank begins the next as soon as it is done with one. */
    void run(List<List<Program>> programs, Application application) {
        int[] begun = new int[ranks.size()];
        int done = 0;
        while (done < ranks.size()) {
            done = 0;
            for (Rank rank : ranks) {
                while (rank.runner.turn() && begun[rank.number] <= programs.size()) {
                    int run = begun[rank.number]++;
                    if (run > 0) {
                        application.look(rank.number, run - 1);
                    }
                    if (run < programs.size()) {
                        application.fill(rank.number, run);
                        rank.runner.begin(programs.get(run).get(rank.number));
                    }
                }
                done += begun[rank.number] > programs.size() ? 1 : 0;
            }
            Event event = events.poll();
            if (event != null) {
                now = event.at();
                event.what().run();
            } else if (done < ranks.size()) {
                throw new IllegalStateException("nothing happens any more: "
                        + ranks.stream().map(r -> r.runner).toList());
            }
        }
    }

    private long later() {
        return now + (delayMax == 0 ? 0 : random.nextInt(delayMax));
    }

    private void at(long time, Runnable what) {
        events.add(new Event(time, number++, what));
    }

    /** One of them. */
    private final class Rank implements RankIo {
        private final int number;
        private final List<ByteBuffer> memory = new ArrayList<>();
        private final ProgramRunner runner;
        private final ArrayDeque<Long> happened = new ArrayDeque<>();

        Rank(int number, int bytes, int nodes, int count) {
            this.number = number;
            for (Buffer buffer : Buffer.values()) {
                int factor = buffer == Buffer.SCRATCH ? 8 : 1;
                memory.add(ByteBuffer.allocate(bytes * factor + 256).order(Arithmetic.ORDER));
            }
            runner = new ProgramRunner(this, nodes, 2 * count);
        }

        @Override
        public Posted post(Program program, int node, int immediate) {
            switch (program.op(node)) {
                case WRITE_IMM, SEND -> {
                    return send(program, node, immediate);
                }
                case RECV_INTO -> {
                    return receive(program, node);
                }
                case READ -> {
                    return read(program, node);
                }
                case REDUCE, COPY, NOP, RECV -> {}
            }
            boolean isEarly = random.nextBoolean();
            if (isEarly || delayMax == 0) {
                compute(program, node);
            }
            if (delayMax == 0) {
                return Posted.DONE;
            }
            at(later(), () -> {
                if (!isEarly) {
                    compute(program, node);
                }
                happened.add((long) node);
            });
            return Posted.UNDER_WAY;
        }

        private void compute(Program program, int node) {
            ByteBuffer source = memory.get(program.source(node).index());
            ByteBuffer target = memory.get(program.target(node).index());
            int bytes = program.length(node);
            if (program.op(node) == Op.REDUCE) {
                arithmetic.reduce(source, program.sourceOffset(node), target, program.targetOffset(node), bytes);
            } else {
                target.put(program.targetOffset(node), source, program.sourceOffset(node), bytes);
            }
        }

        private Posted send(Program program, int node, int immediate) {
            Rank peer = ranks.get(program.peer(node));
            String stream = number + " to " + peer.number + " over " + program.lane(node);
            if (underWay.getOrDefault(stream, 0) == depth) {
                return Posted.FULL;
            }
            underWay.merge(stream, 1, Integer::sum);
            boolean isEarly = random.nextBoolean();
            Runnable copies = () -> peer.memory
                    .get(program.target(node).index())
                    .put(
                            program.targetOffset(node),
                            memory.get(program.source(node).index()),
                            program.sourceOffset(node),
                            program.length(node));
            if (isEarly) {
                copies.run();
            }
            long arrival = Math.max(later(), lastArrival.getOrDefault(stream, 0L));
            lastArrival.put(stream, arrival);
            Runnable arrives = () -> {
                if (!isEarly) {
                    copies.run();
                }
                peer.happened.add(ARRIVED | (immediate & 0xFFFF_FFFFL));
                at(later(), () -> {
                    underWay.merge(stream, -1, Integer::sum);
                    happened.add((long) node);
                });
            };
            at(arrival, program.op(node) == Op.SEND ? () -> matches(stream, program, node, arrives) : arrives);
            return Posted.UNDER_WAY;
        }

        /** What is sent waits for its receive, and must find the one it is for. */
        private void matches(String stream, Program program, int node, Runnable arrives) {
            int[] posted = receives.computeIfAbsent(stream, unused -> new ArrayDeque<>())
                    .poll();
            if (posted == null) {
                at(later() + 1, () -> matches(stream, program, node, arrives));
                return;
            }
            boolean fits = posted[0] == program.immediate(node)
                    && posted[1] == program.target(node).index()
                    && posted[2] == program.targetOffset(node)
                    && posted[3] == program.length(node);
            if (!fits) {
                throw new IllegalStateException(stream + ": node " + node + " went to node " + posted[0]);
            }
            arrives.run();
        }

        private Posted receive(Program program, int node) {
            String stream = program.peer(node) + " to " + number + " over " + program.lane(node);
            ArrayDeque<int[]> posted = receives.computeIfAbsent(stream, unused -> new ArrayDeque<>());
            if (posted.size() == depth) {
                return Posted.FULL;
            }
            posted.add(
                    new int[] {node, program.target(node).index(), program.targetOffset(node), program.length(node)});
            return Posted.UNDER_WAY;
        }

        private Posted read(Program program, int node) {
            Rank peer = ranks.get(program.peer(node));
            boolean isEarly = random.nextBoolean();
            Runnable copies = () -> memory.get(program.target(node).index())
                    .put(
                            program.targetOffset(node),
                            peer.memory.get(program.source(node).index()),
                            program.sourceOffset(node),
                            program.length(node));
            if (isEarly) {
                copies.run();
            }
            at(later(), () -> {
                if (!isEarly) {
                    copies.run();
                }
                happened.add((long) node);
            });
            return Posted.UNDER_WAY;
        }

        @Override
        public long poll() {
            Long event = happened.poll();
            return event == null ? NOTHING : event;
        }

        @Override
        public long nowNs() {
            return now;
        }
    }
}
