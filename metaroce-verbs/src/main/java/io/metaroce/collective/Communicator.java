package io.metaroce.collective;

import io.metaroce.verbs.AccessFlag;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * One rank of a group over verbs: its memory, a connection to every other rank, and the runner of its programs.
 *
 * <p>Between two ranks there is one connection, and as many queue pairs on it as programs use lanes: all share paths
 * and congestion control. The rank with the higher number connects. Messages are Writes with immediate, or Sends; the
 * receive they complete <em>is</em> the arrival.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class Communicator implements AutoCloseable {
    /** Services of ranks have the numbers from here on. */
    public static final int FIRST_SERVICE = 0x0C01_0000;

    private static final Duration STEP = Duration.ofMillis(10);

    private final Shape shape;
    private final ProtectionDomain domain;
    private final CompletionQueue queue;
    private final List<MemoryRegion> regions = new ArrayList<>();
    private final Links links;
    private final VerbsRankIo io;
    private final ProgramRunner runner;

    /**
     * How a group is made; the same for all its ranks but for {@code rank}.
     *
     * @param rank the own number
     * @param ranks how many there are
     * @param lanes streams of a pair, see {@link Task#lanes}
     * @param lanesOfSends streams of a pair besides, for programs whose bytes are sent
     * @param depth messages of a stream under way at once, and receives posted for it
     * @param dataBytes bytes of {@link Buffer#DATA}
     * @param resultBytes bytes of {@link Buffer#RESULT}
     * @param scratchBytes bytes of {@link Buffer#SCRATCH}
     * @param nodesMax nodes of the largest program
     */
    public record Shape(
            int rank,
            int ranks,
            int lanes,
            int lanesOfSends,
            int depth,
            int dataBytes,
            int resultBytes,
            int scratchBytes,
            int nodesMax) {
        /** What rank {@code rank} needs to run all these programs, each the list of all ranks' programs. */
        public static Shape of(int rank, int depth, List<List<Program>> programs) {
            int lanes = 1;
            int lanesOfSends = 0;
            int nodes = 1;
            int[] bytes = {1, 1, 1};
            for (List<Program> all : programs) {
                Program own = all.get(rank);
                lanes = Math.max(lanes, own.task().lanes());
                nodes = Math.max(nodes, own.nodes());
                if (own.task().transfer() == Transfer.SEND) {
                    lanesOfSends = Math.max(lanesOfSends, own.task().lanes());
                }
                bytes[0] = Math.max(bytes[0], own.task().bytes());
                for (Buffer buffer : Buffer.values()) {
                    int at = buffer.index();
                    bytes[at] = Math.max(bytes[at], own.bufferBytes(buffer));
                }
            }
            int ranks = programs.get(0).size();
            return new Shape(rank, ranks, lanes, lanesOfSends, depth, bytes[0], bytes[1], bytes[2], nodes);
        }

        int bytes(Buffer buffer) {
            return switch (buffer) {
                case DATA -> dataBytes;
                case RESULT -> resultBytes;
                case SCRATCH -> scratchBytes;
            };
        }

        @Override
        public String toString() {
            return "rank " + rank + " of " + ranks;
        }
    }

    private Communicator(Device device, Shape shape, Compute.Maker compute, LongSupplier clockNs) {
        this.shape = shape;
        domain = device.createProtectionDomain();
        queue = device.createCompletionQueue(depthOfQueue(device, shape));
        for (Buffer buffer : Buffer.values()) {
            regions.add(domain.allocate(shape.bytes(buffer), AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ));
        }
        links = new Links(device, shape, domain, queue, regions);
        io = new VerbsRankIo(queue, regions, links, shape.nodesMax(), compute, clockNs);
        runner = new ProgramRunner(io, shape.nodesMax(), 2 * shape.ranks() + 2);
    }

    /**
     * A rank with fresh memory that listens from now on.
     *
     * @param compute does its reductions and copies
     * @param clockNs the time in ns, from any origin
     */
    public static Communicator open(Device device, Shape shape, Compute.Maker compute, LongSupplier clockNs) {
        return new Communicator(device, shape, compute, clockNs);
    }

    private static int depthOfQueue(Device device, Shape shape) {
        long wanted = 2L * shape.depth() * (shape.lanes() + shape.lanesOfSends()) * Math.max(1, shape.ranks() - 1);
        return (int) Math.min(wanted, device.attributes().queueDepthMax());
    }

    /** How it was made. */
    public Shape shape() {
        return shape;
    }

    /** The memory of a buffer; elements in it have the order of bytes {@link Arithmetic#ORDER}. */
    public MemoryRegion region(Buffer buffer) {
        return regions.get(buffer.index());
    }

    // ---- connecting ----

    /**
     * Connects to all ranks of lower number and is asked by all others, until every connection stands. Ranks may be
     * started in any order: what fails is tried again.
     *
     * @param addresses where each rank is
     * @throws VerbsException when the time is over
     */
    public void connectAll(List<String> addresses, Duration timeout) {
        long endNs = io.nowNs() + timeout.toNanos();
        for (int peer = 0; peer < shape.rank(); peer++) {
            connect(peer, addresses.get(peer));
        }
        while (!isConnected()) {
            if (io.nowNs() - endNs > 0) {
                throw new VerbsException(
                        toString(),
                        "connect to " + links.missing(),
                        "not within " + timeout,
                        "start all ranks, or give more time");
            }
            for (int peer = 0; peer < shape.rank(); peer++) {
                if (links.hasFailed(peer)) {
                    connect(peer, addresses.get(peer));
                }
            }
            links.answer(STEP);
        }
    }

    /** Begins to connect to a rank of lower number, or begins again; {@link #isConnected} tells when all stand. */
    public void connect(int peer, String address) {
        links.connect(peer, address);
    }

    /** Answers ranks that ask, and looks after connections that are being made. Returns whether all stand. */
    public boolean isConnected() {
        // What failed attempts leave in the queue must not fill it; who has connected already may be ahead.
        boolean unused = runner.turn();
        links.answer();
        return links.missing().isEmpty();
    }

    // ---- running ----

    /** Begins a program; it moves on with {@link #turn}. */
    public void begin(Program program) {
        runner.begin(program);
    }

    /**
     * Does all that can be done now, without waiting. Returns whether the program is done.
     *
     * @throws VerbsException when a message fails, or a rank has gone from which one has still to come
     */
    public boolean turn() {
        boolean isDone = runner.turn();
        for (int peer = 0; !isDone && peer < shape.ranks(); peer++) {
            String why = io.lost(peer);
            if (why != null && runner.waitsFor(peer)) {
                throw new VerbsException(
                        toString(), runner + " waits for rank " + peer, why, "find out what became of that rank");
            }
        }
        return isDone;
    }

    /**
     * Runs a program and waits until it is done.
     *
     * @throws VerbsException when {@link #turn} does, or the time is over
     */
    public void run(Program program, Duration timeout) {
        long endNs = io.nowNs() + timeout.toNanos();
        runner.begin(program);
        while (!turn()) {
            long leftNs = endNs - io.nowNs();
            if (leftNs <= 0) {
                throw new VerbsException(
                        toString(),
                        runner.toString(),
                        "not done within " + timeout,
                        "give more time, or find who is slow");
            }
            io.await(Duration.ofNanos(leftNs));
        }
    }

    /** Waits until something has happened that {@link #turn} can use; false when the time is over. */
    public boolean await(Duration timeout) {
        return io.await(timeout);
    }

    /** How long the last run took here, in ns. */
    public long tookNs() {
        return runner.tookNs();
    }

    /** Closes its connections, memory and queues, but not the device. */
    @Override
    public void close() {
        links.close();
        domain.close();
        queue.close();
    }

    @Override
    public String toString() {
        return shape.toString();
    }
}
